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
std::int64_t number_of(const std::vector<ShellCommand>& commands, const ShellCommand& command, std::size_t i,
                       std::string_view option) {
  const ShellWord& word = command.words[i];
  std::span<const ShellPart> parts(word.parts);
  if (plain_text(word) == option) {
    if (i + 1 >= command.words.size()) return -1;
    parts = command.words[i + 1].parts;
  } else if (parts.size() == 1) {
    return parse_int(std::string_view(parts[0].text).substr(option.size() + 1)).value_or(-1);
  } else {
    parts = parts.subspan(1);
  }
  std::vector<const ShellPart*> said;  // beside the empty texts that quotes leave
  for (const ShellPart& part : parts) {
    if (part.kind != ShellPart::Kind::Text || !part.text.empty()) said.push_back(&part);
  }
  if (said.size() != 1) return -1;
  if (said[0]->kind == ShellPart::Kind::Text) return parse_int(said[0]->text).value_or(-1);
  if (said[0]->kind != ShellPart::Kind::Variable || !said[0]->rest.empty()) return -1;
  std::int64_t out = -1;
  int times = 0;
  for (const ShellCommand& one : commands) {
    for (const ShellWord& set : one.words) {
      if (assigned_name(set) != said[0]->text) continue;
      ++times;
      const std::string_view value = plain_text(set);
      out = value.empty() ? -1 : parse_int(value.substr(value.find('=') + 1)).value_or(-1);
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

/// The listener that a command starts, and the place of its word; nullptr: none.
const Listener* listener_in(const ShellCommand& command, std::size_t& at) {
  for (at = 0; at < command.words.size(); ++at) {
    const std::string_view name = program_of(command.words[at]);
    for (const Listener& one : kListeners) {
      if (name != one.word) continue;
      if (one.verb.empty() || (at + 1 < command.words.size() && plain_text(command.words[at + 1]) == one.verb))
        return &one;
    }
  }
  return nullptr;
}

/// Where it listens; -1: nobody knows, also where a variable may hold more options.
std::int64_t port_of(const std::vector<ShellCommand>& commands, const ShellCommand& command, std::size_t at,
                     const Listener& listener) {
  bool open = false;
  for (std::size_t i = at + 1; i < command.words.size(); ++i) {
    const ShellWord& word = command.words[i];
    if (word.parts.empty()) continue;
    const std::string_view text = word.parts[0].kind == ShellPart::Kind::Text ? word.parts[0].text : std::string_view();
    if (text == "--port" || text.starts_with("--port=")) return number_of(commands, command, i, "--port");
    const bool variable = word.parts.size() == 1 && word.parts[0].kind == ShellPart::Kind::Variable;
    const bool value = i == at + 1 || plain_text(command.words[i - 1]) == listener.verb ||
                       plain_text(command.words[i - 1]).starts_with("--");
    open = open || (variable && !word.parts[0].quoted && !value);
  }
  return open ? -1 : listener.port;
}

}  // namespace

ScriptPorts script_ports(FileId file, std::string_view text) {
  ScriptPorts out;
  const bool any = std::ranges::any_of(kListeners, [&](const Listener& one) { return contains(text, one.word); });
  if (!any) return out;
  const std::vector<ShellCommand> commands = read_shell(text);
  for (const ShellCommand& command : commands) {
    std::size_t at = 0;
    const Listener* found = listener_in(command, at);
    if (found == nullptr || command.words.empty() || program_of(command.words.front()) == "echo") continue;
    // Containers of docker have a network of their own.
    if (std::ranges::find(command.words, "docker", program_of) != command.words.end()) continue;
    const bool ray = found->name == "ray";
    if (ray && std::ranges::find(command.words, "--head", plain_text) == command.words.end()) continue;
    Located<std::int64_t>& port = ray ? out.ray_head : out.server;
    if (port.is_set()) continue;
    const std::int64_t number = port_of(commands, command, at, *found);
    if (number <= 0) continue;
    port = set_to(number, Span{file, command.words[at].begin, command.words.back().end}, FieldName(found->name));
  }
  return out;
}

}  // namespace muster::sbatch
