// What batch jobs ask for against what their site has.
//
// Executed with slurmctld 22.05.8 (nodes of State=CLOUD): what no node has is refused at submission, `Requested node
// configuration is not available`; limits of a partition (nodes, time, State=DOWN) leave the job pending, unless
// EnforcePartLimits says otherwise; a partition, a feature or a GRES that is not there, and State=DRAIN or INACTIVE are
// refused. --mem counts also where memory is no consumable resource, and a node without RealMemory has 1 MiB.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/capped.h"
#include "base/slurm_units.h"
#include "base/strings.h"
#include "model/model.h"
#include "model/site_ties.h"

namespace muster {
namespace {

constexpr std::size_t kMostProblems = 8;  // of one job

std::string number_of_things(std::int64_t count, std::string_view noun) {
  return count_of(static_cast<std::size_t>(std::max<std::int64_t>(0, count)), noun);
}

/// a&b and a|b; nothing for what else --constraint may say.
struct Features {
  std::vector<std::string> names;
  bool any = false;  ///< one of them is enough
};
std::optional<Features> read_features(std::string_view text) {
  Features out;
  out.any = contains(text, "|");
  if (out.any && contains(text, "&")) return std::nullopt;
  if (text.empty() || text.find_first_of("[](){}*,!$%<> ") != text.npos) return std::nullopt;
  for (const std::string_view name : split(text, out.any ? '|' : '&')) {
    if (name.empty()) return std::nullopt;
    out.names.emplace_back(name);
  }
  return out;
}

bool has_feature(const SiteNodes& nodes, const std::string& name) {
  return std::ranges::find(nodes.features, name) != nodes.features.end();
}

bool has_features(const SiteNodes& nodes, const Features& wanted) {
  const auto has = [&](const std::string& name) { return has_feature(nodes, name); };
  return wanted.any ? std::ranges::any_of(wanted.names, has) : std::ranges::all_of(wanted.names, has);
}

/// One component against one of the partitions that it may run in.
class Limits {
 public:
  Limits(const SbatchJob& job, const SbatchComponent& part, const SlurmSite& site, std::size_t partition)
      : job_(job), part_(part), site_(site), row_(site.partitions[partition]), has_(site.table.partitions[partition]) {}

  std::vector<RequestProblem> run() {
    const bool refuses = has_.state == "DRAIN" || has_.state == "INACTIVE";
    if (refuses && setting("alternate")) return {};  // it goes to that partition
    ask_partition();
    if (has_.known) ask_nodes();
    return std::move(problems_);
  }

 private:
  void add(Shortage what, Span where, std::string asked, std::string there, Span there_where = {}) {
    if (!where.placed()) where = job_.where;
    problems_.push_back({what, std::move(asked), std::move(there), "partition `" + row_.name.value + "`", where,
                         there_where.placed() ? there_where : row_.where, job_.id, part_.of});
  }

  bool option(std::string_view name) const {
    return std::ranges::any_of(
        job_.options, [&](const SbatchPair& pair) { return pair.name == name && pair.component == part_.component; });
  }
  bool setting(std::string_view key) const {
    return std::ranges::any_of(row_.settings, [&](const SlurmSetting& one) { return one.lower_key == key; });
  }

  void ask_partition() {
    const Span where = part_.partition.is_set() ? part_.partition.where : job_.where;
    if (has_.state == "DOWN" || has_.state == "DRAIN" || has_.state == "INACTIVE")
      add(Shortage::State, where, "partition `" + row_.name.value + "`", "State=" + has_.state);
    // A QOS may lift the limits of a partition.
    if (part_.qos.state != State::Absent || setting("qos")) return;
    if (has_.max_nodes && part_.min_nodes.known() && part_.min_nodes.value > *has_.max_nodes)
      add(Shortage::MaxNodes, part_.min_nodes.where, number_of_things(part_.min_nodes.value, "node"),
          "MaxNodes=" + std::to_string(*has_.max_nodes));
    if (has_.min_nodes && part_.max_nodes.known() && part_.max_nodes.value < *has_.min_nodes)
      add(Shortage::MinNodes, part_.max_nodes.where, number_of_things(part_.max_nodes.value, "node"),
          "MinNodes=" + std::to_string(*has_.min_nodes));
    const std::optional<std::int64_t> most = slurm_minutes(has_.max_time);
    if (most && *most > 0 && part_.minutes.known() && part_.minutes.value > *most && !option("time-min"))
      add(Shortage::Time, part_.minutes.where, number_of_things(part_.minutes.value, "minute"),
          "MaxTime=" + has_.max_time);
  }

  /// Whether the nodes have it, each on its own; `each`: every node of the job has to, not only the one that gets most.
  struct Ask {
    Shortage what;
    Span where;
    std::string asked;
    std::string there;
    bool each = true;
    std::vector<bool> met;  ///< by group of the partition
  };

  void ask_nodes() {
    asks_.clear();
    if (option("extra")) return;  // since 23.11 such a job waits for nodes that may come
    ask_features();
    ask_devices();
    ask_cpus();
    ask_memory();
    bool all_met = true;
    for (const Ask& ask : asks_) {
      if (std::ranges::find(ask.met, true) != ask.met.end()) continue;
      all_met = false;
      add(ask.what, ask.where, ask.asked, ask.there);
    }
    if (all_met && asks_.size() > 0) ask_together();
  }

  /// Each is there, but on too few nodes, or not on the same.
  void ask_together() {
    std::int64_t nodes = 0;
    bool one_has_all = false;
    std::string asked;
    std::erase_if(asks_, [](const Ask& ask) { return std::ranges::find(ask.met, false) == ask.met.end(); });
    if (asks_.empty()) return;
    for (const Ask& ask : asks_) asked += (asked.empty() ? "" : " with ") + ask.asked;
    for (std::size_t i = 0; i < has_.groups.size(); ++i) {
      const auto met = [&](const Ask& ask) -> bool { return ask.met[i]; };
      one_has_all = one_has_all || std::ranges::all_of(asks_, met);
      if (std::ranges::all_of(asks_, [&](const Ask& ask) { return !ask.each || ask.met[i]; })) nodes += group(i).count;
    }
    if (!one_has_all) {
      add(Shortage::Together, asks_.back().where, asked, "no node has all of that");
    } else if (part_.min_nodes.known() && nodes < part_.min_nodes.value && part_.min_nodes.value <= has_.nodes) {
      add(Shortage::Nodes, part_.min_nodes.where, number_of_things(part_.min_nodes.value, "node") + " with " + asked,
          number_of_things(nodes, "node") + (nodes == 1 ? " has that" : " have that"));
    }
  }

  const SiteNodes& group(std::size_t i) const { return site_.table.groups[has_.groups[i]]; }

  template <class Met>
  void ask(Ask one, const Met& met) {
    for (std::size_t i = 0; i < has_.groups.size(); ++i) one.met.push_back(met(group(i)));
    asks_.push_back(std::move(one));
  }
  template <class Number>
  std::int64_t most(const Number& number) const {
    std::int64_t out = 0;
    for (std::size_t i = 0; i < has_.groups.size(); ++i) out = std::max(out, number(group(i)));
    return out;
  }

  void ask_features() {
    if (!part_.constraint.is_set() || site_.setting("nodefeaturesplugins") != nullptr) return;
    const SlurmSetting* scheduler = site_.setting("schedulerparameters");
    if (scheduler != nullptr && contains_ignoring_case(scheduler->value.value, "ignore_constraint_validation")) return;
    const std::optional<Features> wanted = read_features(part_.constraint.value);
    if (!wanted) return;
    ask({Shortage::Feature,
         part_.constraint.where,
         "`--constraint=" + part_.constraint.value + "`",
         "no node has it",
         true,
         {}},
        [&](const SiteNodes& nodes) { return has_features(nodes, *wanted); });
  }

  /// A device count by node, where the request says one.
  std::optional<std::int64_t> each_of(const DeviceAsk& device) const {
    if (device.per == DevicesPer::Node) return device.count;
    if (device.per == DevicesPer::Task && part_.tasks_each.known())
      return multiply_capped(device.count, part_.tasks_each.value);
    if (device.per == DevicesPer::Job && part_.nodes_given && part_.max_nodes.known() && part_.max_nodes.value > 0)
      return (device.count - 1) / part_.max_nodes.value + 1;
    return std::nullopt;
  }

  void ask_devices() {
    if (!part_.devices_known) return;
    for (const DeviceAsk& device : part_.devices) {
      if (device.count < 1 || device.count > 100'000) continue;
      const std::string kind = device.name + (device.type.empty() ? "" : ":" + device.type);
      if (!site_.has_gres_type(device.name).value_or(true)) {
        // Nodes that have it although GresTypes does not name it are said there.
        const bool said = std::ranges::any_of(
            site_.nodes, [&](const SlurmNodes& line) { return has_gres(line.gres_items, device.name); });
        if (!said) add(Shortage::Device, device.where, "`" + kind + "`", "GresTypes does not name it");
        continue;
      }
      const std::optional<std::int64_t> each = each_of(device);
      const std::int64_t asked = each.value_or(1);
      const std::int64_t there =
          most([&](const SiteNodes& nodes) { return nodes.devices_of(device.name, device.type); });
      const std::int64_t any = most([&](const SiteNodes& nodes) { return nodes.devices_of(device.name); });
      const Shortage what = any == 0 ? Shortage::Device : there == 0 ? Shortage::Type : Shortage::Count;
      const std::string has = what == Shortage::Device ? "no node has any `" + device.name + "`"
                              : what == Shortage::Type ? "nodes have " + types_of(device.name)
                                                       : "the most of a node is " + std::to_string(there);
      ask({what,
           device.where,
           (each ? std::to_string(asked) + " of `" + kind + "` on a node" : "`" + kind + "`"),
           has,
           device.per == DevicesPer::Node,
           {}},
          [&](const SiteNodes& nodes) { return nodes.devices_of(device.name, device.type) >= asked; });
    }
  }

  static bool has_gres(const std::vector<Gres>& items, const std::string& name) {
    return std::ranges::find(items, name, &Gres::name) != items.end();
  }

  std::string types_of(const std::string& name) const {
    std::vector<std::string> types;
    for (std::size_t i = 0; i < has_.groups.size(); ++i) {
      for (const NodeDevices& device : group(i).devices) {
        const std::string type = device.type.empty() ? name + " without a type" : "`" + name + ":" + device.type + "`";
        if (device.name == name && types.size() < kShown && std::ranges::find(types, type) == types.end())
          types.push_back(type);
      }
    }
    return join(types, ", ");
  }

  void ask_cpus() {
    for (const char* other : {"overcommit", "hint", "threads-per-core", "ntasks-per-core", "extra-node-info",
                              "sockets-per-node", "cores-per-socket"}) {
      if (option(other)) return;
    }
    if (!part_.cpus_each.is_set() || part_.cpus_each.value <= 1) return;
    if (!part_.nodes_given && !part_.tasks_per_node.is_set() && part_.tasks.is_set() && part_.tasks.value > 1) return;
    for (std::size_t i = 0; i < has_.groups.size(); ++i) {
      if (!group(i).cpus.known) return;
    }
    const std::int64_t asked = part_.cpus_each.value;
    const auto usable = [](const SiteNodes& nodes) {
      const std::int64_t kept = multiply_capped(nodes.core_spec_count, nodes.cpus.threads_per_core);
      return nodes.cpus.cpus - kept;
    };
    ask({Shortage::Cpus,
         part_.cpus_each.where,
         number_of_things(asked, "CPU") + " on a node",
         "the most of a node is " + std::to_string(most(usable)),
         part_.tasks.state == State::Absent,
         {}},
        [&](const SiteNodes& nodes) { return usable(nodes) >= asked; });
  }

  void ask_memory() {
    if (!part_.memory_each.is_set() || part_.memory_each.value <= 0) return;
    if (part_.memory_per_cpu.is_set() && part_.tasks.is_set() && !part_.nodes_given) return;
    // What is asked for each CPU or GPU counts only where memory is a consumable resource.
    const SlurmSetting* consumable = site_.setting("selecttypeparameters");
    if (part_.memory.state == State::Absent &&
        (consumable == nullptr || !contains_ignoring_case(consumable->value.value, "memory")))
      return;
    const std::int64_t asked = part_.memory_each.value;
    const auto usable = [](const SiteNodes& nodes) { return add_capped(nodes.real_memory.value, -nodes.memory_spec); };
    for (std::size_t i = 0; i < has_.groups.size(); ++i) {
      if (group(i).real_memory.unknown()) return;
    }
    ask({Shortage::Memory,
         part_.memory_each.where,
         std::to_string(asked) + " MiB on a node",
         "the most of a node is " + std::to_string(most(usable)) + " MiB",
         true,
         {}},
        [&](const SiteNodes& nodes) { return usable(nodes) >= asked; });
  }

  const SbatchJob& job_;
  const SbatchComponent& part_;
  const SlurmSite& site_;
  const SlurmPartition& row_;
  const SitePartition& has_;
  std::vector<Ask> asks_;
  std::vector<RequestProblem> problems_;
};

class Requests {
 public:
  explicit Requests(Model& model) : model_(model), ties_(model) {
    for (std::size_t s = 0; s < model.slurm_sites.size(); ++s) {
      const SlurmSite& site = model.slurm_sites[s];
      if (!site.fragment && !site.file.empty()) sites_[site.bundle].push_back(s);
    }
  }

  void judge(SbatchJob& job) {
    job.problems.clear();
    if (std::ranges::any_of(job.parts, &SbatchComponent::elsewhere)) return;
    const auto found = sites_.find(job.bundle);
    if (found == sites_.end()) return;
    std::optional<std::size_t> site = job.site;
    if (!site && found->second.size() == 1) site = found->second.front();
    if (!site || !ties_.tied(job, *site)) return;
    const SlurmSite& here = model_.slurm_sites[*site];
    if (!here.table.known || !here.complete || here.fragment) return;
    for (const SbatchComponent& part : job.parts) {
      if (job.problems.size() < kMostProblems) judge_part(job, part, here);
    }
  }

 private:
  static std::string_view value_of(const SlurmPartition& partition, std::string_view key) {
    const auto found = std::ranges::find(partition.settings, key, &SlurmSetting::lower_key);
    return found == partition.settings.end() ? std::string_view{} : std::string_view(found->value.value);
  }

  /// A request that one of its partitions can fulfil is fine; else the first of them says why not.
  void judge_part(SbatchJob& job, const SbatchComponent& part, const SlurmSite& site) {
    if (part.partition.unknown()) return;
    const PartitionNames& known = names_of(site);
    std::vector<std::size_t> partitions;
    std::set<std::size_t> taken;
    const std::string_view asked =
        part.partition.is_set() ? std::string_view(part.partition.value) : std::string_view();
    for (const std::string_view name : split(asked, ',')) {
      const auto named = known.by_name.find(name);
      const std::optional<std::size_t> found = !part.partition.is_set()       ? known.first_default
                                               : named != known.by_name.end() ? std::optional(named->second)
                                                                              : std::nullopt;
      if (found) {
        if (taken.insert(*found).second) partitions.push_back(*found);
      } else if (part.partition.is_set()) {
        std::vector<std::string> names;
        for (const SlurmPartition& one : site.partitions) {
          if (names.size() < kShown) names.push_back("`" + one.name.value + "`");
        }
        job.problems.push_back({Shortage::Partition, "partition `" + std::string(name) + "`", join(names, ", "),
                                "this site", part.partition.where, site.where, job.id, part.of});
        return;
      }
    }
    if (!part.partition.is_set() && site.setting("jobsubmitplugins") != nullptr) return;  // it may choose one
    std::vector<RequestProblem> first;
    for (const std::size_t partition : partitions) {
      if (partition >= site.table.partitions.size()) return;
      std::vector<RequestProblem> problems = Limits(job, part, site, partition).run();
      if (problems.empty()) return;
      if (first.empty()) first = std::move(problems);
    }
    job.problems.insert(job.problems.end(), first.begin(), first.end());
  }

  /// The first partition of each name, and the first that is a default.
  struct PartitionNames {
    std::map<std::string_view, std::size_t> by_name;
    std::optional<std::size_t> first_default;
  };
  const PartitionNames& names_of(const SlurmSite& site) {
    const auto [found, fresh] = names_.try_emplace(&site);
    PartitionNames& out = found->second;
    for (std::size_t p = 0; fresh && p < site.partitions.size(); ++p) {
      const SlurmPartition& one = site.partitions[p];
      out.by_name.emplace(one.name.value, p);
      if (!out.first_default && equals_ignoring_case(value_of(one, "default"), "yes")) out.first_default = p;
    }
    return out;
  }

  Model& model_;
  SiteTies ties_;
  std::map<const SlurmSite*, PartitionNames> names_;
  std::map<std::string, std::vector<std::size_t>> sites_;  ///< by bundle, in Model::slurm_sites
};

}  // namespace

void find_request_problems(Model& model) {
  Requests requests(model);
  for (SbatchJob& job : model.sbatch_jobs) requests.judge(job);
}

}  // namespace muster
