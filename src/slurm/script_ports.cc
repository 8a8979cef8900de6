#include "slurm/script_ports.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <string>

#include "base/strings.h"
#include "gang/coupling.h"
#include "slurm/batch_shell.h"
#include "slurm/launches.h"
#include "syntax/shell_reader.h"

namespace muster::sbatch {
namespace {

/// What an option of a command is given, also by a variable that the script sets to a plain number; -1: nobody knows.
std::int64_t number_of(std::string_view text, std::span<const ShellCommand> commands, const ShellCommand& command,
                       std::size_t i, std::string_view option) {
  const ShellWord& word = command.words[i];
  std::span<const ShellPart> parts(word.parts);
  if (plain_text(word) == option) {
    if (i + 1 >= command.words.size()) return -1;
    parts = command.words[i + 1].parts;
  } else if (parts.size() == 1) {
    return parse_int(std::string_view(parts[0].text).substr(option.size() + 1)).value_or(-1);
  } else if (parts[0].text.size() == option.size() + 1) {
    parts = parts.subspan(1);
  } else {
    return -1;
  }
  std::vector<const ShellPart*> said;  // beside the empty texts that quotes leave
  for (const ShellPart& part : parts) {
    if (part.kind != ShellPart::Kind::Text || !part.text.empty()) said.push_back(&part);
  }
  if (said.size() != 1) return -1;
  if (said[0]->kind == ShellPart::Kind::Text) return parse_int(said[0]->text).value_or(-1);
  if (said[0]->kind != ShellPart::Kind::Variable || !said[0]->rest.empty()) return -1;
  const std::string& name = said[0]->text;
  // `((PORT++))` until one is free.
  for (const std::string& change : {name + "++", name + "+=", "read " + name, "for " + name}) {
    if (contains(text, change)) return -1;
  }
  std::int64_t out = -1;
  int times = 0;
  for (const ShellCommand& one : commands) {
    for (const ShellWord& set : one.words) {
      if (assigned_name(set) != name) continue;
      ++times;
      const std::string_view value = plain_text(set);
      const bool always = !one.branch && !one.loop && !one.function && !value.empty();
      out = always ? parse_int(value.substr(value.find('=') + 1)).value_or(-1) : -1;
    }
  }
  return times == 1 ? out : -1;
}

/// A program that listens, by a word of its command and the one behind it, and its port where nothing is said.
struct Listener {
  std::string_view word;
  std::string_view verb;  ///< empty: any
  std::string_view name;
  std::int64_t port;
};
// Sources: ray-project/ray:python/ray/scripts/scripts.py (2.50); vllm-project/vllm:vllm/entrypoints/openai/cli_args.py
// (0.11); sgl-project/sglang:python/sglang/srt/server_args.py (0.5); ggml-org/llama.cpp:tools/server/README.md.
constexpr std::array kListeners{Listener{"ray", "start", "ray", 6379},
                                Listener{"vllm", "serve", "vllm", 8000},
                                Listener{"vllm.entrypoints.openai.api_server", "", "vllm", 8000},
                                Listener{"vllm.entrypoints.api_server", "", "vllm", 8000},
                                Listener{"sglang.launch_server", "", "sglang", 30000},
                                Listener{"llama-server", "", "llama-server", 8080}};

/// The listener that a command starts, by itself or behind what starts programs, and the place of its word; nullptr:
/// none.
const Listener* listener_in(const ShellCommand& command, std::size_t& at) {
  constexpr std::array<std::string_view, 12> kBefore{"srun", "apptainer", "singularity", "exec", "nohup",  "uv",
                                                     "env",  "numactl",   "timeout",     "time", "mpirun", "stdbuf"};
  if (command.words.empty()) return nullptr;
  const std::string_view first = program_of(command.words.front());
  const bool starts =
      is_one_of(first, kBefore) || first.starts_with("python") || !assigned_name(command.words.front()).empty();
  for (at = 0; at < command.words.size(); ++at) {
    const std::string_view name = program_of(command.words[at]);
    // Containers of docker have a network of their own.
    if (name == "docker" || name == "podman") return nullptr;
    for (const Listener& one : kListeners) {
      if (name != one.word || (at > 0 && !starts)) continue;
      if (one.verb.empty() || (at + 1 < command.words.size() && plain_text(command.words[at + 1]) == one.verb))
        return &one;
    }
  }
  return nullptr;
}

/// Whether a word may hold options of its own: `$ARGS`, `"${ARGS[@]}"`, `$(cat options)`.
bool holds_options(const ShellWord& word) {
  std::size_t said = 0;
  bool open = false;
  for (const ShellPart& part : word.parts) {
    if (part.kind == ShellPart::Kind::Text && part.text.empty()) continue;
    ++said;
    const bool list = part.text == "@" || part.text == "*" || contains(part.rest, "[@]") || contains(part.rest, "[*]");
    open = part.kind != ShellPart::Kind::Text && (list || !part.quoted);
    if (list && part.kind == ShellPart::Kind::Variable) return true;
  }
  return said == 1 && open;
}

/// Where it listens; -1: nobody knows, also where something may hold more options.
std::int64_t port_of(std::string_view text, std::span<const ShellCommand> commands, const ShellCommand& command,
                     std::size_t at, const Listener& listener) {
  constexpr std::array<std::string_view, 5> kFlags{"--trust", "--enable", "--disable", "--no-", "--enforce"};
  bool open = false;
  for (std::size_t i = at + 1; i < command.words.size(); ++i) {
    const ShellWord& word = command.words[i];
    if (word.parts.empty()) continue;
    const std::string_view own =
        word.parts[0].kind == ShellPart::Kind::Text ? std::string_view(word.parts[0].text) : std::string_view();
    if (own == "--port" || own.starts_with("--port=")) return number_of(text, commands, command, i, "--port");
    const std::string_view before = plain_text(command.words[i - 1]);
    const bool flag = std::ranges::any_of(kFlags, [&](std::string_view one) { return before.starts_with(one); });
    const bool value = i == at + 1 || before == listener.verb || (before.starts_with("--") && !flag);
    open = open || own == "--config" || own.starts_with("--config=") || (holds_options(word) && !value);
    for (const ShellPart& part : word.parts) open = open || contains(part.rest, "[@]") || part.text == "@";
  }
  return open ? -1 : listener.port;
}

/// `$((RANDOM % 1000))`, `$(shuf -i 20000-30000 -n 1)`, `$(python -c "...s.bind(('', 0))...")`.
bool draws_number(std::string_view mark) {
  constexpr std::array<std::string_view, 4> kSameEverywhere{"random-source", "seed", "SLURM_JOB", "cat "};
  constexpr std::array<std::string_view, 2> kDraws{"shuf ", "bind(("};
  const auto names = [&](std::string_view one) { return contains(mark, one); };
  if (std::ranges::any_of(kSameEverywhere, names)) return false;
  return find_word(mark, "RANDOM") != mark.npos || std::ranges::any_of(kDraws, names);
}

/// Whether each task draws a number of its own for the value.
bool is_drawn_by_task(std::string_view text) {
  for (std::size_t at = text.find(kEvaluatedBegin); at != text.npos; at = text.find(kEvaluatedBegin, at + 1)) {
    const std::size_t end = std::min(text.find(kEvaluatedEnd, at), text.size());
    if (at + 2 <= end && text[at + 1] == 't' && draws_number(text.substr(at + 2, end - at - 2))) return true;
  }
  return false;
}

/// Whether a mark is the last name of the job's nodes.
bool is_last_host(std::string_view mark) {
  constexpr std::array<std::string_view, 4> kTails{"tail -1", "tail -n1", "tail -n 1", "tail --lines=1"};
  if (!mark.starts_with("$(scontrol show hostname") || !mark.ends_with(')')) return false;
  mark.remove_suffix(1);
  return std::ranges::count(mark, '|') == 1 && is_one_of(trim(mark.substr(mark.find('|') + 1)), kTails);
}

class MeetingPlaces {
 public:
  MeetingPlaces(const SbatchJob& job, std::string_view text, const BatchBody& body, std::vector<Finding>& findings)
      : job_(job), text_(text), body_(body), findings_(findings), seeded_(times_of("RANDOM") > 0) {}

  void run() {
    constexpr int kMostLooked = 100;  // each goes through all launches
    int looked = 0;
    for (const BatchCommand& command : body_.commands) {
      if (!has_launcher(command) || ++looked > kMostLooked) continue;
      if (const BatchLaunch* launch = launch_of(command)) look_at(*launch, command);
    }
    if (!told_by_environment()) return;
    for (const std::string_view name : {"MASTER_ADDR", "MASTER_PORT"}) {
      if (times_of(name) == 1) look_at(*std::ranges::find(body_.settings, name, &ScriptSetting::name));
    }
  }

 private:
  void report(std::string_view rule, const Span& where, std::string message) {
    if (reported_.insert(rule).second) findings_.push_back(problem(rule, where, std::move(message)));
  }

  /// `RANDOM=42`: every shell draws the same numbers then.
  bool is_seeded() const { return seeded_; }
  std::ptrdiff_t times_of(std::string_view name) const {
    return std::ranges::count(body_.settings, name, &ScriptSetting::name);
  }

  static bool has_launcher(const BatchCommand& command) {
    constexpr std::array<std::string_view, 5> kLaunchers{
        "torchrun", "torch.distributed.run", "torch.distributed.launch", "accelerate", "accelerate.commands.launch"};
    return std::ranges::any_of(command.words,
                               [&](const ShellValue& word) { return is_one_of(program_name(word.text), kLaunchers); });
  }

  /// That of torchrun or its like which srun starts on several nodes; nullptr: none.
  const BatchLaunch* launch_of(const BatchCommand& command) const {
    for (const BatchLaunch& launch : job_.script.launches) {
      const bool several = launch.step_nodes.known() && launch.step_nodes.value > 1;
      if (launch.by != StartedBy::Srun || !several || launch.launcher == "deepspeed") continue;
      const auto begins = [&](const ShellValue& word) {
        return span_in(job_.where.file, word, 0, word.text.size()).begin == launch.where.begin;
      };
      if (std::ranges::any_of(command.words, begins)) return &launch;
    }
    return nullptr;
  }

  /// What an option of the launcher is given; empty: nothing.
  static ShellValue option(const BatchCommand& command, std::initializer_list<std::string_view> names) {
    for (std::size_t i = 1; i < command.words.size(); ++i) {
      const std::string& word = command.words[i].text;
      if (word.ends_with(".py")) break;  // what follows is the program's
      if (!word.starts_with("--")) continue;
      const std::size_t sign = word.find('=');
      std::string name = word.substr(2, sign == word.npos ? word.npos : sign - 2);
      std::ranges::replace(name, '-', '_');
      if (std::ranges::find(names, name) == names.end()) continue;
      if (sign != word.npos) return tail_of(command.words[i], sign + 1);
      if (i + 1 < command.words.size()) return command.words[i + 1];
    }
    return {};
  }

  /// `$(scontrol show hostnames ... || echo localhost)`; behind a pipe the status is that of its last command.
  static bool falls_back(std::string_view mark) {
    const std::string_view first = mark.substr(0, mark.find("||"));
    if (contains(first, "|")) return false;
    constexpr std::array<std::string_view, 3> kOwn{"|| echo localhost)", "|| echo 127.0.0.1)", "|| hostname)"};
    return contains(mark, "scontrol ") &&
           std::ranges::any_of(kOwn, [&](std::string_view own) { return mark.ends_with(own); });
  }

  /// The step of a command starts its tasks in an image.
  bool in_container(const BatchCommand& command) const {
    constexpr std::array<std::string_view, 4> kImages{"apptainer", "singularity", "podman", "shifter"};
    if (command.step >= body_.commands.size()) return false;
    const std::vector<ShellValue>& words = body_.commands[command.step].words;
    return std::ranges::any_of(words, [&](const ShellValue& word) {
      return word.text.starts_with("--container-image") || is_one_of(program_name(word.text), kImages);
    });
  }

  /// One world a node: nothing of the script tells the nodes apart, so all of them do the same.
  void alone(const BatchLaunch& launch, const std::string& nodes) {
    constexpr std::array<std::string_view, 6> kTellsApart{"SLURM_PROCID", "SLURM_NODEID", "SLURMD_NODENAME",
                                                          "$(hostname",   "HOSTNAME",     "--multi-prog"};
    const bool apart = std::ranges::any_of(kTellsApart, [&](std::string_view one) { return contains(text_, one); });
    if (apart || job_.script.runs_scripts || launch.branch || launch.background || launch.loop) return;
    report("sbatch-standalone-on-nodes", launch.where,
           "each of the " + nodes + " nodes trains alone: --standalone meets at its own node");
  }

  void look_at(const BatchLaunch& launch, const BatchCommand& command) {
    const std::string nodes = std::to_string(launch.step_nodes.value);
    if (launch.standalone) return alone(launch, nodes);
    ShellValue host = option(command, {"master_addr", "main_process_ip", "rdzv_endpoint"});
    host.text = host.text.substr(0, host.text.find('\x02') + 1);  // before a port
    const ShellValue rank = option(command, {"node_rank", "machine_rank"});
    const bool numbered = rank.of_task() && (rank.mark() == "SLURM_PROCID" || rank.mark() == "SLURM_NODEID");
    // With c10d whoever has the name of the host listens there.
    const bool by_rank = launch.backend.empty() || launch.backend == "static";
    if (numbered && by_rank && is_last_host(host.mark()))
      report("sbatch-rendezvous-at-last-node", launch.where,
             "the " + nodes + " nodes of `" + launch.launcher + "` meet at the last one, and rank 0 is on the first");
    if (host.of_task() && falls_back(host.mark()) && in_container(command))
      report("sbatch-rendezvous-falls-back", launch.where,
             "where `scontrol` is not in the container, each of the " + nodes + " nodes meets itself");
    if (is_seeded() || !launch.nodes.known() || launch.nodes.value < 2) return;
    for (const std::string_view name : {"rdzv_id", "rdzv_endpoint", "master_port", "main_process_port"}) {
      const ShellValue value = option(command, {name});
      if (!is_drawn_by_task(value.text)) continue;
      return report("sbatch-rendezvous-drawn-by-each", launch.where,
                    "each of the " + nodes + " nodes draws a number of its own for --" + std::string(name));
    }
  }

  /// All tasks of the job are of one program that meets by MASTER_ADDR and MASTER_PORT.
  bool told_by_environment() const {
    const SbatchComponent& part = job_.parts.front();
    if (job_.components != 1 || !job_.script.launchers.empty() || job_.script.steps.empty()) return false;
    return std::ranges::all_of(job_.script.steps, [&](const BatchStep& step) {
      return step.all_nodes.known() && part.min_nodes.known() && step.all_nodes.value == part.min_nodes.value &&
             step.tasks_each_node.known() && step.all_nodes.value * step.tasks_each_node.value > 1;
    });
  }

  void look_at(const ScriptSetting& set) {
    if (set.branch || set.prefix) return;
    const bool several = job_.parts.front().min_nodes.value > 1;
    const bool exported = body_.exports_all || body_.exported.contains(set.name);
    if (set.name == "MASTER_ADDR" && several && exported && is_last_host(set.value.mark()))
      report("sbatch-master-addr-last-node", set.where,
             "MASTER_ADDR of `" + job_.name.value + "` is the last node, and the first task runs on the first");
    if (set.name == "MASTER_PORT" && set.via == StartedBy::Srun && !is_seeded() && is_drawn_by_task(set.value.text))
      report("sbatch-master-port-drawn-by-each", set.where,
             "each task of `" + job_.name.value + "` draws a MASTER_PORT of its own");
  }

  const SbatchJob& job_;
  std::string_view text_;
  const BatchBody& body_;
  std::vector<Finding>& findings_;
  bool seeded_;
  std::set<std::string_view> reported_;
};

}  // namespace

void find_meeting_places(FileId file, std::string_view text, const SbatchJob& job, const CalledScripts& called,
                         std::vector<Finding>& findings) {
  constexpr std::array<std::string_view, 6> kSigns{"tail", "RANDOM", "shuf", "bind((", "|| ", "--standalone"};
  const auto says = [&](std::string_view one) { return contains(text, one); };
  if (!job.script.runs_scripts && std::ranges::none_of(kSigns, says)) return;
  if (job.script.launches.empty()) return;
  MeetingPlaces(job, text, walk_batch_script(file, text, slurm_numbers(job), called), findings).run();
}

ScriptPorts script_ports(FileId file, std::string_view text, std::span<const ShellCommand> commands) {
  ScriptPorts out;
  const bool any = std::ranges::any_of(kListeners, [&](const Listener& one) { return contains(text, one.word); });
  if (!any) return out;
  int looked = 0;
  for (const ShellCommand& command : commands) {
    std::size_t at = 0;
    const Listener* found = listener_in(command, at);
    if (found == nullptr) continue;
    const bool ray = found->name == "ray";
    if (ray && std::ranges::find(command.words, "--head", plain_text) == command.words.end()) continue;
    Located<std::int64_t>& port = ray ? out.ray_head : out.server;
    constexpr int kMostLooked = 50;  // each goes through the whole script
    if (port.is_set() || ++looked > kMostLooked) continue;
    const std::int64_t number = port_of(text, commands, command, at, *found);
    if (number <= 0) continue;
    port = set_to(number, Span{file, command.words[at].begin, command.words.back().end}, FieldName(found->name));
  }
  return out;
}

}  // namespace muster::sbatch
