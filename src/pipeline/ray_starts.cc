#include "pipeline/ray_starts.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "pipeline/input_names.h"
#include "pipeline/ray_symmetric_runs.h"
#include "slurm/batch_shell.h"

namespace muster {
namespace {

using sbatch::BatchBody;
using sbatch::BatchCommand;
using sbatch::ShellValue;

/// One `ray start` of a script.
struct RayStart {
  std::size_t command = 0;  ///< in the body
  std::size_t word = 0;     ///< `ray`
  bool head = false;
  bool blocks = false;
  bool cpus = false;                 ///< it says how many it has
  bool open = false;                 ///< some word may hold further options
  std::optional<std::int64_t> port;  ///< where the head listens, or where it is joined; nothing: nobody knows
  Span where;                        ///< of the port, or of the command
};

/// Where `ray start` stands among the words of a command.
std::optional<std::size_t> ray_word(const BatchCommand& command) {
  for (std::size_t i = 0; i + 1 < command.words.size(); ++i) {
    if (sbatch::program_name(command.words[i].text) == "ray" && command.words[i + 1].text == "start") return i;
  }
  return std::nullopt;
}

/// `6380` of `HOST:6380`.
std::optional<std::int64_t> port_behind(std::string_view address) {
  const std::size_t colon = address.rfind(':');
  return colon == address.npos ? std::nullopt : parse_int(address.substr(colon + 1));
}

/// Options of `ray start` that take no value. Source: ray-project/ray:python/ray/scripts/scripts.py, start, and
/// python/ray/autoscaler/_private/cli_logger.py, add_click_logging_options (1.0-2.50).
constexpr std::array<std::string_view, 12> kRayFlags{"--block",
                                                     "--disable-usage-stats",
                                                     "--enable-object-reconstruction",
                                                     "--enable-resource-isolation",
                                                     "--head",
                                                     "--huge-pages",
                                                     "--include-java",
                                                     "--no-monitor",
                                                     "--no-redirect-output",
                                                     "--no-redirect-worker-output",
                                                     "--ray-debugger-external",
                                                     "--verbose"};

RayStart read_start(FileId file, const BatchCommand& command, std::size_t index, std::size_t word) {
  constexpr std::int64_t kUsualPort = 6379;
  RayStart out;
  out.command = index;
  out.word = word;
  const ShellValue* address = nullptr;
  const ShellValue* port = nullptr;
  ShellValue kept_address;
  ShellValue kept_port;
  for (std::size_t i = word + 2; i < command.words.size(); ++i) {
    const ShellValue& here = command.words[i];
    const bool last = i + 1 == command.words.size();
    if (here.text == "--head") out.head = true;
    if (here.text == "--block") out.blocks = true;
    if (here.text.starts_with("--num-cpus")) out.cpus = true;
    if (here.text == "--address" && !last) address = &command.words[i + 1];
    if ((here.text == "--port" || here.text == "--redis-port") && !last) port = &command.words[i + 1];
    if (here.text.starts_with("--address=")) address = &(kept_address = sbatch::tail_of(here, 10));
    // --redis-port is the older word for it.
    for (const std::string_view name : {"--port=", "--redis-port="}) {
      if (here.text.starts_with(name)) port = &(kept_port = sbatch::tail_of(here, name.size()));
    }
    // `$RAY_ARGS`, unless it is the value of an option.
    const std::string_view before = command.words[i - 1].text;
    const bool value = before.starts_with("--") && !contains(before, "=") && !sbatch::is_one_of(before, kRayFlags);
    if (!here.known() && !value && !here.text.starts_with('-')) out.open = true;
  }
  const ShellValue* said = out.head ? port : address;
  // The host of an address may be a variable, which stands elsewhere.
  if (said != nullptr) out.where = sbatch::span_in(file, *said, said->text.rfind(':') + 1, said->text.size());
  if (said == nullptr || !out.where.placed()) out.where = command.where;
  if (out.head && !out.open) out.port = port == nullptr ? kUsualPort : parse_int(port->text);
  if (!out.head && address != nullptr) out.port = port_behind(address->text);
  if (out.port && *out.port <= 0) out.port.reset();
  return out;
}

/// What puts a program where no step of Slurm ends it.
bool is_elsewhere(const BatchCommand& command, std::size_t word) {
  constexpr std::array<std::string_view, 7> kElsewhere{"docker", "podman", "nerdctl",    "ssh",
                                                       "pdsh",   "clush",  "systemd-run"};
  return std::any_of(
      command.words.begin(), command.words.begin() + static_cast<std::ptrdiff_t>(word),
      [&](const ShellValue& one) { return sbatch::is_one_of(sbatch::program_name(one.text), kElsewhere); });
}

/// A shell script with what it starts of Ray.
struct RayScript {
  std::size_t file = 0;
  std::vector<RayStart> starts;
};

class RayStarts {
 public:
  RayStarts(const Inputs& inputs, std::vector<Finding>& findings) : inputs_(inputs), findings_(findings) {}

  void run() {
    std::map<std::string_view, std::vector<RayScript>> folders;
    std::map<std::string_view, std::vector<std::size_t>> shells;
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const std::string_view path = inputs_.files[i].context.path;
      const std::string_view all = text(i);
      if (all.starts_with("#!")) shells[folder_of(path)].push_back(i);
      if (!contains(all, "ray start") || contains(all, "{{") || contains(all, "{%")) continue;
      if (!all.starts_with("#!") && !path.ends_with(".sh") && !path.ends_with(".sbatch")) continue;
      if (all.starts_with("#!") && !contains(all.substr(0, all.find('\n')), "sh")) continue;
      RayScript script = read(i);
      if (!script.starts.empty()) folders[folder_of(path)].push_back(std::move(script));
    }
    for (const auto& [folder, scripts] : folders) compare_folder(scripts, shells[folder]);
  }

 private:
  std::string_view text(std::size_t i) const { return inputs_.sources.file(static_cast<FileId>(i)).text(); }

  RayScript read(std::size_t i) {
    RayScript out;
    out.file = i;
    const auto file = static_cast<FileId>(i);
    const BatchBody body = sbatch::walk_batch_script(file, text(i), {});
    if (!body.complete) return out;
    std::map<std::size_t, std::size_t> last_of_step;
    for (std::size_t c = 0; c < body.commands.size(); ++c) last_of_step[body.commands[c].step] = c;
    bool said = false;
    bool shares = asks_for_part_of_node(text(i));
    for (std::size_t c = 0; c < body.commands.size(); ++c) {
      const BatchCommand& command = body.commands[c];
      const std::optional<std::size_t> word = ray_word(command);
      if (!word || command.here_document || is_message(command)) continue;
      out.starts.push_back(read_start(file, command, c, *word));
      if (shares && !out.starts.back().cpus && !out.starts.back().open && !is_elsewhere(command, *word)) {
        shares = false;
        report_cpus(file, command, out.starts.back());
      }
      if (said || !returns(body, out.starts.back(), last_of_step)) continue;
      said = true;
      report_return(file, command, out.starts.back());
    }
    return out;
  }

  /// A batch script that says how many CPUs each task has, and does not take whole nodes.
  static bool asks_for_part_of_node(std::string_view all) {
    bool cpus = false;
    for (const std::string_view line : split(all, '\n')) {
      if (!line.starts_with("#SBATCH")) continue;
      if (contains(line, "--exclusive") || contains(line, "--mem=0")) return false;
      cpus = cpus || contains(line, "--cpus-per-task") || contains(line, " -c ");
    }
    return cpus && !contains(all, "RAY_USE_MULTIPROCESSING_CPU_COUNT");
  }

  void report_cpus(FileId file, const BatchCommand& command, const RayStart& start) {
    Span where = sbatch::span_in(file, command.words[start.word], 0, command.words[start.word].text.size());
    if (!where.placed()) where = command.where;
    findings_.push_back(problem("sbatch-ray-counts-node", where,
                                "`ray start` without --num-cpus counts the CPUs of the node, not those of the job"));
  }

  static bool is_message(const BatchCommand& command) {
    const std::string_view name = sbatch::program_name(command.words.front().text);
    return name == "echo" || name == "printf" || name == "which" || name == "command";
  }

  /// Whether a step is over as soon as it returns.
  static bool returns(const BatchBody& body, const RayStart& start,
                      const std::map<std::size_t, std::size_t>& last_of_step) {
    const BatchCommand& command = body.commands[start.command];
    if (start.blocks || start.open || command.function || is_elsewhere(command, start.word)) return false;
    const bool by_srun =
        std::any_of(command.words.begin(), command.words.begin() + static_cast<std::ptrdiff_t>(start.word),
                    [](const ShellValue& one) { return sbatch::program_name(one.text) == "srun"; });
    if (by_srun) return true;
    // In a text for a shell that srun starts: the last command of it, come what may.
    if (command.via != StartedBy::Srun || command.step == start.command || command.branch || command.loop) return false;
    return start.word == 0 && last_of_step.at(command.step) == start.command &&
           !is_elsewhere(body.commands[command.step], body.commands[command.step].words.size());
  }

  void report_return(FileId file, const BatchCommand& command, const RayStart& start) {
    Span where = sbatch::span_in(file, command.words[start.word], 0, command.words[start.word].text.size());
    if (!where.placed()) where = command.where;
    findings_.push_back(problem("sbatch-ray-start-returns", where,
                                "`ray start` without --block returns at once, and the step of srun ends with it"));
  }

  /// Workers of the scripts that join at a port at which no head of them listens.
  void compare(const std::vector<const RayScript*>& together) {
    std::vector<const RayStart*> heads;
    for (const RayScript* script : together) {
      for (const RayStart& start : script->starts) {
        if (start.head) heads.push_back(&start);
      }
    }
    std::set<std::int64_t> ports;
    for (const RayStart* head : heads) {
      if (!head->port) return;
      ports.insert(*head->port);
    }
    if (heads.empty()) return;
    for (const RayScript* script : together) {
      for (const RayStart& start : script->starts) {
        if (start.head || !start.port || ports.contains(*start.port) || !said_.insert(script->file).second) continue;
        findings_.push_back(problem("sbatch-ray-port-differs", start.where,
                                    "this joins a cluster of Ray at port " + std::to_string(*start.port) +
                                        ", and its head listens at " + std::to_string(*heads.front()->port)));
        findings_.back().related.push_back({heads.front()->where, "the head"});
      }
    }
  }

  /// The scripts of a folder by the script beside them that names them.
  void compare_folder(const std::vector<RayScript>& scripts, const std::vector<std::size_t>& beside) {
    std::map<std::string_view, const RayScript*> apart;  // those that have only a part of a cluster, by name
    for (const RayScript& script : scripts) {
      const bool head = std::ranges::any_of(script.starts, &RayStart::head);
      if (head) compare({&script});
      if (!head || std::ranges::all_of(script.starts, &RayStart::head))
        apart.emplace(last_part(inputs_.files[script.file].context.path), &script);
    }
    if (apart.size() < 2) return;
    for (const std::size_t i : beside) {
      std::set<const RayScript*> named;
      for (const std::string_view word : split_blanks(text(i))) {
        const std::string_view name = last_part(word.substr(0, word.find_last_not_of("\"';&)") + 1));
        const auto found = apart.find(name);
        if (found != apart.end() && found->second->file != i) named.insert(found->second);
      }
      if (named.size() > 1) compare({named.begin(), named.end()});
    }
  }

  const Inputs& inputs_;
  std::vector<Finding>& findings_;
  std::set<std::size_t> said_;  ///< files of which a worker is told
};

}  // namespace

void find_ray_starts(const Inputs& inputs, std::vector<Finding>& findings) {
  RayStarts(inputs, findings).run();
  find_symmetric_runs(inputs, findings);
}

}  // namespace muster
