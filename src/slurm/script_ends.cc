#include "slurm/script_ends.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/strings.h"
#include "slurm/batch_shell.h"

namespace muster::sbatch {
namespace {

bool has_any_of(std::string_view text, const auto& words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return contains(text, word); });
}

/// A server of models, by a word of its command.
bool starts_server(const ShellCommand& command) {
  constexpr std::array<std::string_view, 4> kModules{"vllm.entrypoints.openai.api_server",
                                                     "vllm.entrypoints.api_server", "sglang.launch_server",
                                                     "text-generation-launcher"};
  constexpr std::array<std::string_view, 2> kServing{"vllm", "ollama"};  // with `serve`
  for (std::size_t i = 0; i < command.words.size(); ++i) {
    const std::string_view name = program_of(command.words[i]);
    if (is_one_of(name, kModules) || name == "llama-server") return true;
    if (is_one_of(name, kServing) && i + 1 < command.words.size() && plain_text(command.words[i + 1]) == "serve")
      return true;
  }
  return false;
}

/// What only looks whether a server is there, and tells of it.
bool is_glance(const ShellCommand& command) {
  constexpr std::array<std::string_view, 28> kGlances{
      "[",          "[[",     ":",    "break", "cat",  "chmod", "continue", "curl", "cut",  "date",
      "disown",     "echo",   "exit", "for",   "grep", "head",  "hostname", "jq",   "kill", "nc",
      "nvidia-smi", "printf", "sed",  "sleep", "test", "touch", "true",     "wget"};
  constexpr std::array<std::string_view, 8> kInside{"cat", "curl", "date", "echo", "grep", "head", "hostname", "seq"};
  for (const ShellWord& word : command.words) {
    for (const ShellPart& part : word.parts) {
      const std::string_view inner = trim(part.text);
      if (part.kind == ShellPart::Kind::Command && !is_one_of(inner.substr(0, inner.find(' ')), kInside)) return false;
    }
  }
  const std::string_view name = program_of(command.words.front());
  if (is_one_of(name, kGlances)) return true;
  // `python3 -c "import json ..."` behind a pipe.
  if (command.subshell && name.starts_with("python") && command.words.size() > 1 &&
      plain_text(command.words[1]) == "-c")
    return true;
  return !assigned_name(command.words.front()).empty() &&
         (command.words.size() == 1 || !assigned_name(command.words.back()).empty());
}

/// A pause that may be what keeps the job, or an end of the server that is meant.
bool may_keep_job(const ShellCommand& command) {
  constexpr std::int64_t kLongPause = 300;
  const std::string_view name = program_of(command.words.front());
  if (name == "kill") return !command.branch && (command.words.size() < 2 || plain_text(command.words[1]) != "-0");
  if (name != "sleep" || command.words.size() != 2) return name == "sleep";
  const std::optional<std::int64_t> seconds = parse_int(plain_text(command.words[1]));
  return !seconds || *seconds >= kLongPause;
}

class ScriptEnds {
 public:
  ScriptEnds(FileId file, std::string_view text, std::span<const ShellCommand> commands, std::vector<Finding>& findings)
      : file_(file), text_(text), commands_(commands), findings_(findings) {}

  void run() {
    server_left();
    ray_in_front();
    returns();
  }

 private:
  void report(std::string_view rule, const ShellCommand& command, std::string message) {
    findings_.push_back(
        problem(rule, {file_, command.words.front().begin, command.words.back().end}, std::move(message)));
  }

  /// Whether it stands in `( ... ) &`, for which nobody waits. An end that is far away is not looked for.
  bool is_beside(const ShellCommand& command) const {
    constexpr std::size_t kNear = 4096;
    if (!command.subshell) return false;
    std::string_view rest = text_.substr(command.words.back().end, kNear);
    for (bool own = true; !rest.empty(); own = false) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      const std::size_t close = own ? line.substr(0, line.find(" #")).rfind(')') : line.find_first_not_of(" \t");
      if (close != line.npos && line[close] == ')') {
        const std::string_view behind = trim(line.substr(close + 1));
        return behind.starts_with('&') && !behind.starts_with("&&");
      }
      rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    }
    return false;
  }

  /// `vllm serve ... &`, and then nothing but messages and a look at its port. The last server of a script.
  void server_left() {
    const ShellCommand* server = nullptr;
    std::size_t at = 0;
    for (std::size_t i = 0; i < commands_.size(); ++i) {
      if (commands_[i].words.empty() || !commands_[i].background) continue;
      server = &commands_[i];
      at = i;
    }
    if (server == nullptr || !starts_server(*server) || at + 1 >= commands_.size()) return;
    if (server->function || server->branch || server->loop || server->subshell) return;
    bool pauses = false;
    for (const ShellCommand& command : commands_.subspan(at + 1)) {
      if (command.words.empty()) continue;
      if (command.function || !is_glance(command) || (may_keep_job(command) && !is_beside(command))) return;
      pauses = pauses || (command.loop && program_of(command.words.front()) == "sleep");
    }
    const std::string_view behind = text_.substr(server->words.back().end);
    constexpr std::array<std::string_view, 5> kStays{"while true", "while :", "while [ 1", "while kill", "while ps"};
    if (has_any_of(behind, kStays)) return;
    constexpr std::array<std::string_view, 4> kLeaves{"break", "until ", "while !", "exit"};
    if (pauses && !has_any_of(behind, kLeaves)) return;
    // A job may be there for the one request that it sends itself.
    const bool asks = contains(behind, "/completions") || contains(behind, "/generate") || contains(behind, "/api/");
    const bool for_others = contains(text_, "ssh -L") || contains(text_, "ssh -N") || contains(text_, "-L $PORT");
    if (asks && !for_others) return;
    report("sbatch-server-ends-with-script", *server,
           "the script ends behind a look at this server in the background, and so does the job");
  }

  /// The words `ray start ... --block` of a command that runs it, alone or in a text for another shell.
  static bool holds_ray(const ShellCommand& command) {
    constexpr std::array<std::string_view, 8> kRunners{"ray",         "srun", "ssh",     "apptainer",
                                                       "singularity", "uv",   "numactl", "nohup"};
    if (!is_one_of(program_of(command.words.front()), kRunners)) return false;
    bool starts = false;
    for (std::size_t i = 0; i < command.words.size(); ++i) {
      const ShellWord& word = command.words[i];
      if (plain_text(word) == "timeout") return false;
      if (i > 0 && plain_text(word) == "start" && program_of(command.words[i - 1]) == "ray") starts = true;
      if (starts && plain_text(word) == "--block") return true;
    }
    return false;
  }

  /// What a Ray cluster is there for, or another part of it.
  static bool goes_on_with_ray(const ShellCommand& command) {
    constexpr std::array<std::string_view, 6> kStarts{"srun", "torchrun", "vllm", "apptainer", "singularity", "mpirun"};
    const std::string_view name = program_of(command.words.front());
    if (is_one_of(name, kStarts) || name.starts_with("python")) return true;
    if (name != "ray" || command.words.size() < 2) return false;
    const std::string_view verb = plain_text(command.words[1]);
    return verb == "start" || verb == "job" || verb == "submit";
  }

  /// `return 1` outside of a function, where bash complains and goes on.
  void returns() {
    if (!contains(text_.substr(0, text_.find('\n')), "bash") || contains(text_, "BASH_SOURCE")) return;
    for (std::size_t i = 0; i + 1 < commands_.size(); ++i) {
      const ShellCommand& command = commands_[i];
      if (command.words.empty() || plain_text(command.words[0]) != "return") continue;
      if (command.function || command.subshell || command.words.size() > 2) continue;
      const std::uint32_t end = command.words.back().end;
      const std::string_view rest = text_.substr(end, text_.find('\n', end) - end);
      if (contains(rest, "exit") || contains(rest, "/dev/null")) continue;
      return report("sbatch-return-outside-function", command,
                    "`return` stands in no function: bash says so, and the script goes on");
    }
  }

  void ray_in_front() {
    if (!contains(text_, "--block")) return;
    for (std::size_t i = 0; i < commands_.size(); ++i) {
      const ShellCommand& command = commands_[i];
      if (command.words.empty() || command.background || command.subshell || command.function ||
          command.here_document || !holds_ray(command))
        continue;
      // What stands in another branch runs on another node.
      const auto next = std::ranges::find_if(commands_.subspan(i + 1), [&](const ShellCommand& later) {
        return !later.words.empty() && !later.function && (!command.branch || !later.branch) && goes_on_with_ray(later);
      });
      if (next == commands_.end()) continue;
      const std::string_view name = program_of(next->words.front());
      return report("sbatch-ray-holds-script", command,
                    "`ray start --block` does not return, and `" + std::string(name) + "` behind it never runs");
    }
  }

  FileId file_;
  std::string_view text_;
  std::span<const ShellCommand> commands_;
  std::vector<Finding>& findings_;
};

}  // namespace

void find_script_ends(FileId file, std::string_view text, std::span<const ShellCommand> commands,
                      std::vector<Finding>& findings) {
  ScriptEnds(file, text, commands, findings).run();
}

}  // namespace muster::sbatch
