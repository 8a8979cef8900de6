#include "worlds/batch_asks.h"

#include <algorithm>
#include <array>

#include "base/capped.h"
#include "base/slurm_units.h"
#include "base/strings.h"

namespace muster {
namespace {

// Where a job goes does not depend on these. Source: slurm.schedmd.com/sbatch.html (22.05 to 26.05).
constexpr std::array<std::string_view, 52> kNoMatter{
    "account",    "acctg-freq", "array",         "begin",        "bell",          "chdir",
    "comment",    "cpu-bind",   "cpu-freq",      "delay-boot",   "dependency",    "distribution",
    "error",      "export",     "export-file",   "get-user-env", "gid",           "gpu-bind",
    "gpu-freq",   "hold",       "ignore-pbs",    "input",        "job-name",      "kill-on-invalid-dep",
    "mail-type",  "mail-user",  "mem-bind",      "nice",         "no-kill",       "no-bell",
    "no-requeue", "open-mode",  "oom-kill-step", "output",       "oversubscribe", "parsable",
    "priority",   "profile",    "propagate",     "quiet",        "requeue",       "signal",
    "stepmgr",    "uid",        "umask",         "verbose",      "wait",          "wait-all-nodes",
    "wckey",      "wrap",       "x11",           "extra"};
// These are read here or elsewhere.
constexpr std::array<std::string_view, 18> kRead{
    "nodes",    "ntasks",    "ntasks-per-node", "cpus-per-task", "mem",          "mem-per-cpu", "mem-per-gpu",
    "gres",     "gpus",      "gpus-per-node",   "gpus-per-task", "cpus-per-gpu", "partition",   "time",
    "time-min", "exclusive", "segment",         "hetjob"};

class Asks {
 public:
  Asks(const SbatchJob& job, std::size_t component, const std::vector<const NodePool*>& pools, const SlurmSite* site,
       bool spare_cores_kept)
      : job_(job), component_(component), pools_(pools), site_(site), spare_cores_kept_(spare_cores_kept) {
    if (site_ != nullptr) partition_ = partition();
  }

  BatchAsks run() {
    for (const SbatchPair& pair : job_.options) {
      if (!counts_for(pair, static_cast<std::int64_t>(component_)) || pair.name.empty()) continue;
      const bool known = std::ranges::find(kNoMatter, pair.name) != kNoMatter.end() ||
                         std::ranges::find(kRead, pair.name) != kRead.end();
      if (!known) beyond("`--" + pair.name + "`");
    }
    const Located<std::int64_t>& nodes = job_.parts[component_].min_nodes;
    const std::optional<std::int64_t> all = number("gpus");
    const bool even = all && nodes.known() && nodes.value > 0 &&
                      nodes.value == job_.parts[component_].max_nodes.value && *all % nodes.value == 0;
    if (option("gpus") != nullptr && !gpus_asked(job_, component_) && !even && option("exclusive") == nullptr)
      beyond("how its `--gpus` are spread");
    // A fleet file does not say which of its pools are in which partition.
    if (site_ == nullptr && pools_.size() > 1) beyond("the nodes of its partition");
    ask_types();
    if (option("overcommit") == nullptr) ask_cpus();
    ask_memory();
    ask_time();
    ask_limits();
    ask_whom();
    ask_otherwise();
    return std::move(out_);
  }

 private:
  void beyond(std::string what) {
    if (std::ranges::find(out_.beyond, what) == out_.beyond.end()) out_.beyond.push_back(std::move(what));
  }
  const SbatchPair* option(std::string_view name) const {
    const SbatchPair* found = nullptr;
    for (const SbatchPair& pair : job_.options) {
      if (pair.name == name && counts_for(pair, static_cast<std::int64_t>(component_))) found = &pair;
    }
    return found;
  }
  std::optional<std::int64_t> number(std::string_view name) const {
    const SbatchPair* pair = option(name);
    return pair != nullptr && pair->value.is_set() ? parse_int(pair->value.value) : std::nullopt;
  }
  const SlurmPartition* partition() const {
    const SbatchComponent& part = job_.parts[component_];
    for (const SlurmPartition& one : site_->partitions) {
      const bool is_default = std::ranges::any_of(one.settings, [](const SlurmSetting& s) {
        return s.lower_key == "default" && equals_ignoring_case(s.value.value, "yes");
      });
      if (part.partition.state == State::Absent ? is_default : one.name.value == part.partition.value) return &one;
    }
    return nullptr;
  }
  /// Of the partition alone.
  std::string_view own(std::string_view lower_key) const {
    if (partition_ == nullptr) return {};
    const auto found = std::ranges::find(partition_->settings, lower_key, &SlurmSetting::lower_key);
    return found == partition_->settings.end() ? std::string_view{} : std::string_view(found->value.value);
  }
  /// Of the partition, else of the site.
  std::string_view setting(std::string_view lower_key) const {
    if (!own(lower_key).empty()) return own(lower_key);
    const SlurmSetting* found = site_ == nullptr ? nullptr : site_->setting(lower_key);
    return found == nullptr ? std::string_view{} : std::string_view(found->value.value);
  }
  std::string in_partition() const {
    return partition_ == nullptr ? "" : " of partition `" + partition_->name.value + "`";
  }

  bool takes(const NodePool& pool) const {
    return partition_ == nullptr || pool.labels.contains("partition/" + partition_->name.value);
  }

  /// What nodes of the pools the component may go to have of it; nothing: some pool does not say.
  std::optional<std::vector<std::int64_t>> facts(std::string_view fact) const {
    std::vector<std::int64_t> out;
    for (const NodePool* pool : pools_) {
      if (!takes(*pool)) continue;
      const Located<FactValue>& value = pool->fact(fact);
      if (!value.known()) return std::nullopt;
      out.push_back(std::get<std::int64_t>(value.value));
    }
    return out;
  }

  static bool has_no_gpus(const NodePool& pool) {
    const Located<FactValue>& gpus = pool.fact("gpus_per_node");
    return gpus.known() && std::get<std::int64_t>(gpus.value) == 0;
  }

  void ask_types() {
    std::string type;
    for (const std::string_view name : {"gres", "gpus", "gpus-per-node", "gpus-per-task"}) {
      const SbatchPair* pair = option(name);
      if (pair == nullptr || !pair->value.is_set()) continue;
      for (std::string_view item : split(pair->value.value, ',')) {
        if (item.starts_with("gres/")) item.remove_prefix(5);
        const std::vector<std::string_view> words = split(item, ':');
        const bool gpu = name != "gres" || words.front() == "gpu";
        if (!gpu) beyond("gres `" + std::string(words.front()) + "`");
        const std::size_t at = name == "gres" ? 1 : 0;
        if (!gpu || words.size() <= at || parse_int(words[at])) continue;
        if (!type.empty() && type != words[at]) beyond("GPUs of several types");
        type = words[at];
      }
    }
    if (type.empty()) return;
    out_.gpu_type = type;
    for (const NodePool* pool : pools_) {
      const bool typed =
          std::ranges::any_of(pool->labels, [](const auto& entry) { return entry.first.starts_with("gres/gpu:"); });
      if (typed || !takes(*pool) || has_no_gpus(*pool)) continue;
      out_.gpu_type.clear();
      return beyond("GPU type `" + type + "`");
    }
  }

  /// Tasks on the node that has the most of them, if they are spread evenly.
  std::int64_t tasks_a_node() const {
    if (const std::optional<std::int64_t> each = number("ntasks-per-node")) return std::max<std::int64_t>(1, *each);
    const std::optional<std::int64_t> tasks = number("ntasks");
    const Located<std::int64_t>& nodes = job_.parts[component_].min_nodes;
    if (!tasks || !nodes.known() || nodes.value < 1) return 1;
    return std::max<std::int64_t>(1, (*tasks - 1) / nodes.value + 1);
  }

  void ask_cpus() {
    for (const std::string_view name : {"ntasks", "ntasks-per-node", "cpus-per-task", "cpus-per-gpu"}) {
      const SbatchPair* pair = option(name);
      if (pair != nullptr && !number(name)) return beyond("CPUs (`--" + std::string(name) + "`)");
    }
    cpus_ = multiply_capped(tasks_a_node(), std::max<std::int64_t>(1, number("cpus-per-task").value_or(1)));
    if (const std::optional<std::int64_t> each = number("cpus-per-gpu")) {
      const std::optional<std::int64_t> gpus = gpus_asked(job_, component_);
      if (!gpus) return beyond("CPUs (`--cpus-per-gpu`)");
      cpus_ = std::max(cpus_, multiply_capped(*each, *gpus));
    }
    if (cpus_ <= 1) return;
    const std::optional<std::vector<std::int64_t>> there = facts("node.cpus");
    if (!there || there->empty()) return beyond("CPUs");
    if (!spare_cores_kept_ && takes_spare_cores()) beyond("CPUs that CoreSpecCount keeps");
    // Whole cores are given, of two CPUs mostly; and where nodes differ, tasks may be spread otherwise than evenly.
    const auto [least, most] = std::ranges::minmax(*there);
    const std::int64_t task = std::max<std::int64_t>(1, number("cpus-per-task").value_or(1));
    const std::int64_t rounded = task == 1 || task % 2 == 0 ? cpus_ : multiply_capped(tasks_a_node(), task + 1);
    if (rounded <= least) return;
    const bool spread = option("ntasks") != nullptr && option("ntasks-per-node") == nullptr;
    if (cpus_ < kMostCpus && (cpus_ > most || (rounded == cpus_ && !spread)) && (least == most || !spread)) {
      out_.milli_cpus = cpus_ * 1000;
    } else {
      beyond("CPUs");
    }
  }

  /// Whether it needs what CoreSpecCount keeps of some nodes of the cloud.
  bool takes_spare_cores() const {
    return site_ != nullptr && std::ranges::any_of(site_->table.groups, [&](const SiteNodes& nodes) {
             const std::int64_t kept = multiply_capped(nodes.core_spec_count, nodes.cpus.threads_per_core);
             return nodes.is_cloud() && kept > 0 && cpus_ > nodes.cpus.cpus - kept;
           });
  }

  /// Options of all components are held against each other: executed with sbatch 22.05.8, 24.11.5 and 26.05.5.
  bool memory_options_agree() const {
    std::string_view kind;
    for (const SbatchPair& pair : job_.options) {
      if (pair.name != "mem" && pair.name != "mem-per-cpu" && pair.name != "mem-per-gpu") continue;
      if (!kind.empty() && kind != pair.name) return false;
      kind = pair.name;
    }
    return true;
  }

  bool takes_memory() const {
    if (const std::string_view words = own("selecttypeparameters"); !words.empty())
      return contains_ignoring_case(words, "memory");
    return site_ == nullptr || site_->counts_memory().value_or(true);
  }

  void ask_memory() {
    if (!memory_options_agree()) return beyond("memory (options of several kinds)");
    std::int64_t asked = 0;
    std::int64_t defaults = 0;
    const auto read = [&](std::string_view name, std::string_view fallback, std::int64_t times) {
      const SbatchPair* pair = option(name);
      const std::string text = pair != nullptr ? pair->value.value : std::string(setting(fallback));
      if (text.empty() || equals_ignoring_case(text, "unlimited")) return;
      const std::optional<std::int64_t> each = slurm_memory(text);
      if (!each) return beyond("memory (`--" + std::string(name) + "`)");
      asked = std::max(asked, multiply_capped(*each, times));
    };
    const bool written =
        option("mem") != nullptr || option("mem-per-cpu") != nullptr || option("mem-per-gpu") != nullptr;
    if (!written || option("mem") != nullptr) read("mem", written ? "" : "defmempernode", 1);
    if (!written || option("mem-per-cpu") != nullptr)
      read("mem-per-cpu", written ? "" : "defmempercpu", std::max<std::int64_t>(1, cpus_));
    if (option("mem-per-gpu") != nullptr || (!written && !setting("defmempergpu").empty())) {
      const std::optional<std::int64_t> gpus = gpus_asked(job_, component_);
      if (!gpus) return beyond("memory (`--mem-per-gpu`)");
      read("mem-per-gpu", written ? "" : "defmempergpu", *gpus);
    }
    if (asked == 0) return;
    const std::optional<std::vector<std::int64_t>> there = facts("node.memory_mib");
    if (!there || there->empty()) return beyond("memory");
    if (option("mem-per-gpu") != nullptr) {
      // The defaults take none of it then, and what has no room for them is refused: slurmctld 22.05.8, 24.11.5, 26.05.5.
      std::swap(asked, defaults);
      read("mem", "defmempernode", 1);
      read("mem-per-cpu", "defmempercpu", std::max<std::int64_t>(1, cpus_));
      std::swap(asked, defaults);
      if (defaults > std::ranges::min(*there) * kMiB) return beyond("memory (defaults beside `--mem-per-gpu`)");
    }
    const std::optional<std::int64_t> most = slurm_memory(setting("maxmempernode"));
    if ((most && *most > 0 && asked > *most) || (!setting("maxmempercpu").empty() && setting("maxmempercpu") != "0"))
      return beyond("memory (MaxMemPerNode, MaxMemPerCPU)");
    if (site_ != nullptr && !takes_memory()) {
      // No job takes memory from another then; a node has to have as much in all.
      if (asked > std::ranges::min(*there) * kMiB) beyond("memory");
    } else if (asked < kMostMemory) {
      out_.memory = asked;
    } else {
      beyond("memory");
    }
  }

  void ask_time() {
    const SbatchPair* pair = option("time-min") != nullptr ? option("time-min") : option("time");
    if (pair == nullptr || equals_ignoring_case(setting("maxtime"), "unlimited")) return;
    const bool for_ever = equals_ignoring_case(pair->value.value, "unlimited") ||
                          equals_ignoring_case(pair->value.value, "infinite") || pair->value.value == "0";
    const std::string_view limit = setting("maxtime");
    if (site_ == nullptr || limit.empty() || equals_ignoring_case(limit, "infinite")) return;
    const std::optional<std::int64_t> most = slurm_minutes(limit);
    const std::optional<std::int64_t> asked =
        pair->value.is_set() && !for_ever ? slurm_minutes(pair->value.value) : std::nullopt;
    if (!most || !asked || *asked > *most) beyond("time limit (MaxTime" + in_partition() + ")");
  }

  /// What partitions limit beside the nodes they have.
  void ask_limits() {
    if (partition_ == nullptr) return;
    if (!own("state").empty() && !equals_ignoring_case(own("state"), "up"))
      beyond("State=" + std::string(own("state")) + in_partition());
    const SbatchComponent& part = job_.parts[component_];
    const std::optional<std::int64_t> most = parse_int(own("maxnodes"));
    const std::optional<std::int64_t> fewest = parse_int(own("minnodes"));
    if (most && part.min_nodes.known() && part.min_nodes.value > *most)
      beyond("number of nodes (MaxNodes" + in_partition() + ")");
    if (fewest && part.max_nodes.known() && part.max_nodes.value < *fewest)
      beyond("number of nodes (MinNodes" + in_partition() + ")");
    const std::optional<std::int64_t> cpus = parse_int(own("maxcpuspernode"));
    if (cpus && cpus_ > *cpus) beyond("CPUs (MaxCPUsPerNode" + in_partition() + ")");
    for (const std::string_view key : {"qos", "allowqos", "maxcpuspersocket"}) {
      if (!own(key).empty() && !equals_ignoring_case(own(key), "all"))
        beyond(std::string(key == "maxcpuspersocket" ? "CPUs (MaxCPUsPerSocket" : "QOS (") + in_partition() + ")");
    }
  }

  /// Whom the partition lets in, where the job says who it is.
  void ask_whom() {
    if (partition_ == nullptr) return;
    for (const std::string_view key : {"rootonly", "reqresv"}) {
      if (equals_ignoring_case(own(key), "yes"))
        beyond(std::string(key == "rootonly" ? "root (RootOnly" : "reservation (ReqResv") + in_partition() + ")");
    }
    const Located<std::string>& account = job_.parts[component_].account;
    if (account.state == State::Absent) return;
    const auto names = [&](std::string_view key) {
      return std::ranges::any_of(split(own(key), ','), [&](std::string_view one) {
        return account.is_set() && equals_ignoring_case(trim(one), account.value);
      });
    };
    const bool allowed =
        own("allowaccounts").empty() || equals_ignoring_case(own("allowaccounts"), "all") || names("allowaccounts");
    if (!allowed || names("denyaccounts"))
      beyond("account `" + account.value + "` (" + (allowed ? "DenyAccounts" : "AllowAccounts") + in_partition() + ")");
  }

  /// What is added where it is submitted, and what else `check` says that no node or partition of its site gives.
  void ask_otherwise() {
    for (const SbatchPair& pair : job_.given) {
      if (std::ranges::find(kNoMatter, pair.name) == kNoMatter.end())
        beyond("`--" + pair.name + "` where it is submitted");
    }
    if (!out_.beyond.empty()) return;
    for (const RequestProblem& problem : job_.problems) {
      if (problem.what != Shortage::LeftOut) beyond(problem.asked + " (" + problem.there + ")");
    }
  }

  static constexpr std::int64_t kMostCpus = 1'000'000;
  static constexpr std::int64_t kMiB = std::int64_t{1} << 20;
  static constexpr std::int64_t kMostMemory = std::int64_t{1} << 50;
  const SbatchJob& job_;
  const std::size_t component_;
  const std::vector<const NodePool*>& pools_;
  const SlurmSite* site_;
  const SlurmPartition* partition_ = nullptr;
  const bool spare_cores_kept_;
  std::int64_t cpus_ = 1;
  BatchAsks out_;
};

}  // namespace

std::string gpu_type_label(const std::string& type) { return "gres/gpu:" + type; }

std::optional<std::int64_t> gpus_asked(const SbatchJob& job, std::size_t component) {
  for (std::size_t i = job.options.size(); i-- > 0;) {  // of an option that is repeated the last one counts
    const SbatchPair& pair = job.options[i];
    const bool per_node = pair.name == "gpus-per-node" || pair.name == "gres";
    if (!per_node || pair.component != static_cast<std::int64_t>(component) || !pair.value.is_set()) continue;
    std::int64_t count = 0;
    for (std::string_view item : split(pair.value.value, ',')) {
      if (item.starts_with("gres/")) item.remove_prefix(5);
      if (pair.name == "gres" && !item.starts_with("gpu")) continue;
      count = add_capped(count, parse_int(item.substr(item.rfind(':') + 1)).value_or(1));
    }
    return count;
  }
  return std::nullopt;
}

BatchAsks asks_of(const SbatchJob& job, std::size_t component, const std::vector<const NodePool*>& pools,
                  const SlurmSite* site, bool spare_cores_kept) {
  return Asks(job, component, pools, site, spare_cores_kept).run();
}

}  // namespace muster
