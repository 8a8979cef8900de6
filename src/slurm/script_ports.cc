#include "slurm/script_ports.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/strings.h"
#include "slurm/batch_shell.h"
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

}  // namespace

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
