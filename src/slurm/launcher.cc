// Command lines of torchrun, torch.distributed.launch, accelerate and deepspeed.
//
// Sources: pytorch/pytorch:torch/distributed/run.py (2.9) and torch/distributed/launch.py; huggingface/accelerate:
// src/accelerate/commands/launch.py (1.11); deepspeedai/DeepSpeed:deepspeed/launcher/runner.py (0.18).
#include <algorithm>
#include <array>
#include <map>

#include "base/strings.h"
#include "slurm/image_command.h"
#include "slurm/launches.h"

namespace muster::sbatch {
namespace {

bool is_python(std::string_view word) {
  word = program_name(word);
  return word == "python" || word == "python2" || word.starts_with("python3");
}

/// Whether the word is the image of `singularity run`, which may be called as a launcher is.
bool is_its_image(const std::vector<ShellValue>& words, std::size_t at) {
  const auto runs = std::find_if(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(at),
                                 [](const ShellValue& word) { return runs_images(program_name(word.text)); });
  const auto verb = static_cast<std::size_t>(runs - words.begin()) + 1;
  return verb < at &&
         at == image_word(words.size(), verb, [&](std::size_t i) { return std::string_view(words[i].text); });
}

/// Which launcher begins there, and where its options do.
std::string_view find_launcher(const std::vector<ShellValue>& words, std::size_t& at) {
  const std::string_view word = program_name(words[at].text);
  const auto next = [&](std::size_t ahead) {
    return at + ahead < words.size() ? std::string_view(words[at + ahead].text) : std::string_view();
  };
  if (word == "torchrun" || word == "deepspeed") {
    if (is_its_image(words, at)) return "";
    ++at;
    return word == "deepspeed" ? "deepspeed" : "torchrun";
  }
  if (word == "accelerate" && next(1) == "launch") {
    at += 2;
    return "accelerate";
  }
  if (!is_python(word)) return "";
  std::size_t ahead = 1;
  while (next(ahead).starts_with('-') && next(ahead) != "-m") {
    if (next(ahead) == "-c") {
      at = words.size();
      return "python";
    }
    ++ahead;
  }
  if (next(ahead) == "-m") {
    const std::string_view module = next(ahead + 1);
    constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kModules{{
        {"torch.distributed.run", "torchrun"},
        {"torch.distributed.launch", "torch.distributed.launch"},
        {"accelerate.commands.launch", "accelerate"},
        {"accelerate.launch", "accelerate"},
        {"deepspeed.launcher.runner", "deepspeed"},
    }};
    for (const auto& [name, launcher] : kModules) {
      if (module != name) continue;
      at += ahead + 2;
      return launcher;
    }
  }
  if (next(ahead) == "-m" || next(ahead).ends_with(".py")) {
    at = words.size();
    return "python";
  }
  return "";
}

/// `--nproc_per_node=gpu`, $NUM_GPUS, $(nvidia-smi -L | wc -l). $GPUS_PER_TASK may be 1.
bool counts_gpus(const ShellValue& value) {
  const std::string mark = to_lower(value.mark());
  return value.text == "gpu" || value.text == "auto" || (contains(mark, "gpu") && !contains(mark, "task")) ||
         (contains(mark, "nvidia-smi") && contains(mark, "wc -l"));
}

using Options = std::map<std::string, const ShellValue*>;

/// Options up to the program that is to be started, their names with `_` for `-`. Inline values stand in `inlines`.
bool read_options(const std::vector<ShellValue>& words, std::size_t at, Options& options,
                  std::vector<ShellValue>& inlines) {
  constexpr std::array<std::string_view, 17> kFlags{
      "standalone",         "no_python",     "use_env",     "module",       "multi_gpu", "use_deepspeed",
      "use_fsdp",           "cpu",           "tpu",         "same_network", "no_ssh",    "enable_each_rank_log",
      "bind_cores_to_rank", "no_local_rank", "force_multi", "debug",        "quiet"};
  inlines.reserve(words.size() - std::min(at, words.size()));
  for (; at < words.size(); ++at) {
    const std::string& word = words[at].text;
    if (!words[at].mark().empty()) return false;  // options from somewhere else
    if (!word.starts_with('-')) return true;
    const std::size_t equals = word.find('=');
    const std::size_t dashes = word.starts_with("--") ? 2 : 1;
    std::string name = word.substr(dashes, equals == word.npos ? word.npos : equals - dashes);
    std::ranges::replace(name, '-', '_');
    if (name.find('\x01') != name.npos) return false;
    if (equals != word.npos) {
      inlines.push_back(tail_of(words[at], equals + 1));
      options[name] = &inlines.back();
      continue;
    }
    if (name == "m") return true;
    options[name] = nullptr;
    const bool flag = std::ranges::find(kFlags, name) != kFlags.end();
    if (flag || at + 1 >= words.size() || words[at + 1].text.starts_with('-')) continue;
    if (words[at + 1].text.ends_with(".py")) continue;
    options[name] = &words[++at];
  }
  return true;
}

class LauncherReader {
 public:
  LauncherReader(FileId file, const std::map<std::string, std::int64_t>& numbers, const NamedConfigs& configs,
                 BatchLaunch& out)
      : file_(file), numbers_(numbers), configs_(configs), out_(out) {}

  void run(const std::vector<ShellValue>& words, std::size_t at) {
    options_read_ = read_options(words, at, options_, inlines_);
    complete_ = options_read_ && !options_.contains("config_file") && !options_.contains("config");
    out_.standalone = options_.contains("standalone");
    out_.host_list = options_.contains("hostfile") || options_.contains("H") || options_.contains("launcher");
    const ShellValue* over = option({"launcher"});
    out_.by_ssh = out_.launcher == "deepspeed" && complete_ &&
                  (options_.contains("hostfile") || options_.contains("H")) && !options_.contains("no_ssh") &&
                  (!options_.contains("launcher") || (over != nullptr && equals_ignoring_case(over->text, "pdsh")));
    out_.nodes = number({"nnodes", "num_machines", "num_nodes"});
    out_.processes = number({"nproc_per_node", "num_gpus"});
    const ShellValue* processes = option({"nproc_per_node", "num_gpus"});
    out_.per_gpu = processes != nullptr && out_.processes.unknown() && counts_gpus(*processes);
    out_.processes_total = out_.launcher == "accelerate" ? number({"num_processes"}) : Located<std::int64_t>{};
    if (out_.launcher == "accelerate") read_config();
    if (const ShellValue* backend = option({"rdzv_backend"})) out_.backend = backend->text;
    read_rank();
    read_host();
    if (option({"include", "exclude", "i", "e"}) != nullptr) out_.host_list = true;
    out_.host_given = option({"rdzv_endpoint", "master_addr", "main_process_ip"}) != nullptr;
    out_.rank_given = option({"node_rank", "machine_rank"}) != nullptr;
    out_.options_known = complete_;
  }

 private:
  /// Numbers of the file that --config_file names count where the command line has none.
  /// Source: huggingface/accelerate:src/accelerate/commands/launch.py, _validate_launch_command (1.11).
  void read_config() {
    const ShellValue* path = option({"config_file"});
    // Options out of a variable may say them, too.
    if (path == nullptr || !path->known() || !configs_ || !options_read_) return;
    const NamedConfig config = configs_(path->text);
    if (config.text.empty()) return;
    out_.config_read = true;
    if (!options_.contains("num_machines")) out_.nodes = number_in(config, "num_machines");
    if (!options_.contains("num_processes")) out_.processes_total = number_in(config, "num_processes");
  }

  /// Of a key at the left margin; absent: it is not there, or no number.
  static Located<std::int64_t> number_in(const NamedConfig& config, std::string_view key) {
    for (const std::string_view line : split(config.text, '\n')) {
      if (!line.starts_with(key) || !line.substr(key.size()).starts_with(':')) continue;
      std::string_view value = line.substr(key.size() + 1);
      value = trim(value.substr(0, value.find(" #")));
      const std::optional<std::int64_t> number = parse_int(value);
      if (!number) return {};
      return set_to(*number, span_of_part(config.file, config.text, value), FieldName(key));
    }
    return {};
  }

  const ShellValue* option(std::initializer_list<std::string_view> names) const {
    for (const std::string_view name : names) {
      const auto found = options_.find(std::string(name));
      if (found != options_.end() && found->second != nullptr) return found->second;
    }
    return nullptr;
  }
  Span span(const ShellValue& value) const { return span_in(file_, value, 0, value.text.size()); }

  Located<std::int64_t> number(std::initializer_list<std::string_view> names) const {
    const std::string_view name = *names.begin();
    const ShellValue* value = option(names);
    if (value == nullptr)
      return complete_
                 ? Located<std::int64_t>{}
                 : unknown_until<std::int64_t>("the options of `" + out_.launcher + "`", out_.where, FieldName(name));
    std::string_view text = value->text;
    const std::size_t colon = text.find(':');  // torchrun --nnodes=2:2
    ShellValue part = *value;
    if (colon != text.npos && value->known()) {
      if (text.substr(0, colon) != text.substr(colon + 1))
        return unknown_until<std::int64_t>("how many of `" + value->text + "` come", span(*value), FieldName(name));
      part.text = text.substr(0, colon);
    }
    const std::optional<std::int64_t> known = number_of(part, numbers_);
    return known ? set_to(*known, span(*value), FieldName(name))
                 : unknown_until<std::int64_t>("what `--" + std::string(name) + "` comes to", span(*value),
                                               FieldName(name));
  }

  /// The batch shell runs on the first node, as its first task: what it puts in is 0 for everybody.
  void read_rank() {
    const ShellValue* rank = option({"node_rank", "machine_rank"});
    if (rank == nullptr) return;
    const std::string mark = rank->mark();
    constexpr std::array<std::string_view, 3> kOwn{"SLURM_NODEID", "SLURM_PROCID", "SLURM_LOCALID"};
    const bool batch = rank->of_batch_shell() && std::ranges::find(kOwn, mark) != kOwn.end();
    out_.same_rank = batch || parse_int(rank->text).has_value();
    out_.node_rank = rank->known() ? set_to(rank->text, span(*rank), "--node_rank")
                     : batch       ? set_to("$" + mark, span(*rank), "--node_rank")
                                   : unknown_until<std::string>("the rank of each node", span(*rank), "--node_rank");
  }

  void read_host() {
    const ShellValue* host = option({"rdzv_endpoint", "master_addr", "main_process_ip"});
    if (const ShellValue* port = option({"master_port", "main_process_port"})) {
      const std::optional<std::int64_t> number = parse_int(port->text);
      out_.port = number
                      ? set_to(*number, span(*port), "--master_port")
                      : unknown_until<std::int64_t>("the port where the processes meet", span(*port), "--master_port");
    }
    if (host == nullptr) return;
    std::string_view name = host->text;
    const std::size_t colon = name.rfind(':');
    const bool has_port = colon != name.npos && name.find('\x02', colon) == name.npos;
    if (has_port) {
      const std::optional<std::int64_t> number = parse_int(name.substr(colon + 1));
      if (number && !out_.port.is_set()) out_.port = set_to(*number, span(*host), "--rdzv_endpoint");
      name = name.substr(0, colon);
    }
    ShellValue alone;
    alone.text = name;
    out_.host_is_local = name == "localhost" || name == "127.0.0.1" || name == "::1";
    out_.host_is_own = host->of_task() && is_own_host(alone.mark());
    out_.host = alone.known() ? set_to(std::string(name), span(*host), "--master_addr")
                              : unknown_until<std::string>("where the processes meet", span(*host), "--master_addr");
    if (out_.host_is_own) out_.host = set_to("$" + alone.mark(), span(*host), "--master_addr");
  }

  FileId file_;
  const std::map<std::string, std::int64_t>& numbers_;
  const NamedConfigs& configs_;
  BatchLaunch& out_;
  Options options_;
  std::vector<ShellValue> inlines_;
  bool options_read_ = true;  ///< none of them comes out of a variable
  bool complete_ = true;
};

}  // namespace

bool is_own_host(std::string_view mark) {
  return mark == "HOSTNAME" || mark == "SLURMD_NODENAME" || mark == "HOST" || mark == "$(hostname)" ||
         mark == "$(hostname -s)" || mark == "$(hostname -f)" || mark.starts_with("$(hostname -i") ||
         mark.starts_with("$(hostname -I") || mark.starts_with("$(hostname --ip-address");
}

namespace {

/// Options by which programs of PyTorch are told how many processes load data for each rank.
Located<std::int64_t> read_loaders(FileId file, const std::vector<ShellValue>& words, std::size_t from,
                                   const std::map<std::string, std::int64_t>& numbers) {
  constexpr std::array<std::string_view, 7> kNames{"--dataloader-num-workers",
                                                   "--dataloader_num_workers",
                                                   "--loader-workers",
                                                   "--n-workers",
                                                   "--n_workers",
                                                   "--num-workers",
                                                   "--num_workers"};
  for (std::size_t i = from; i < words.size(); ++i) {
    const std::size_t sign = words[i].text.find('=');
    if (!is_one_of(std::string_view(words[i].text).substr(0, sign), kNames)) continue;
    const bool inside = sign != std::string::npos;
    if (!inside && i + 1 == words.size()) return {};
    const ShellValue value = inside ? tail_of(words[i], sign + 1) : words[i + 1];
    const std::optional<std::int64_t> number = number_of(value, numbers);
    return number ? set_to(*number, span_in(file, words[i], 0, words[i].text.size()), "--num_workers")
                  : Located<std::int64_t>{};
  }
  return {};
}

}  // namespace

bool read_launcher(FileId file, const std::vector<ShellValue>& words, std::size_t at,
                   const std::map<std::string, std::int64_t>& numbers, const NamedConfigs& configs, BatchLaunch& out) {
  const std::size_t begin = at;
  out.launcher = find_launcher(words, at);
  if (out.launcher.empty()) return false;
  const ShellValue& last = words.back();
  const Span first = span_in(file, words[begin], 0, words[begin].text.size());
  const Span end = span_in(file, last, 0, last.text.size());
  out.where = {file, first.begin, std::max(first.end, end.end)};
  out.loaders = read_loaders(file, words, begin, numbers);
  if (out.launcher != "python") {
    LauncherReader(file, numbers, configs, out).run(words, at);
    return true;
  }
  // A program that is told of nodes may start its steps itself.
  for (const ShellValue& word : words) {
    const std::string_view option = std::string_view(word.text).substr(0, word.text.find('='));
    if (option == "--num-nodes" || option == "--num_nodes" || option == "--nnodes" || option == "--nodes")
      out.nodes = unknown_until<std::int64_t>("what the program does with its nodes", Span{});
  }
  return true;
}

}  // namespace muster::sbatch
