#include "slurm/fixed_ports.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "base/strings.h"
#include "slurm/batch_shell.h"

namespace muster::sbatch {
namespace {

constexpr std::int64_t kMostPort = 65535;
constexpr std::size_t kMostPorts = 5;  // of one script

bool is_beyond(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_digit) && text.front() != '0' &&
         (text.size() > 9 || parse_int(text).value_or(0) > kMostPort);
}

/// PORT, MASTER_PORT, port.
bool is_of_port(std::string_view name) {
  const std::string lower = to_lower(name);
  return lower == "port" || lower.ends_with("_port");
}

/// The number that an option of a port is told in this word, or in the next one; empty: it is none.
std::string_view told_by_option(std::span<const ShellWord> words, std::size_t i) {
  // Source: pytorch/pytorch:torch/distributed/run.py (2.9); huggingface/accelerate:src/accelerate/commands/launch.py
  // (1.10); microsoft/DeepSpeed:deepspeed/launcher/runner.py (0.17).
  constexpr std::array<std::string_view, 5> kPorts{"--master-port", "--master_port", "--main-process-port", "--port",
                                                   "--main_process_port"};
  constexpr std::array<std::string_view, 4> kPlaces{"--rdzv-endpoint", "--rdzv_endpoint", "--dist-url", "--dist_url"};
  if (words[i].parts.empty() || words[i].parts[0].kind != ShellPart::Kind::Text) return {};
  const std::string_view own = words[i].parts[0].text;
  const std::string_view name = own.substr(0, own.find('='));
  const bool place = is_one_of(name, kPlaces);
  if (!place && !is_one_of(name, kPorts)) return {};
  const bool inside = name.size() < own.size();
  if (!inside && (words[i].parts.size() > 1 || i + 1 == words.size())) return {};
  const ShellWord& word = inside ? words[i] : words[i + 1];
  const std::vector<const ShellPart*> parts = written_parts(word);
  if (parts.empty() || parts.back()->kind != ShellPart::Kind::Text) return {};
  const std::string_view last = parts.back()->text;
  if (place) return last.rfind(':') == last.npos ? std::string_view() : last.substr(last.rfind(':') + 1);
  if (parts.size() > (inside ? 2 : 1)) return {};
  if (parts.size() == 2) return parts[0]->text == std::string(name) + "=" ? last : std::string_view();
  return inside ? last.substr(name.size() + 1) : last;
}

/// `MASTER_PORT=$RANDOM`
bool is_bare_random(const ShellWord& word) {
  const std::vector<const ShellPart*> parts = written_parts(word);
  return parts.size() == 2 && parts[1]->kind == ShellPart::Kind::Variable && parts[1]->text == "RANDOM" &&
         parts[1]->rest.empty();
}

}  // namespace

void find_fixed_ports(FileId file, std::span<const ShellCommand> commands, std::vector<Finding>& findings) {
  std::size_t reported = 0;
  const auto report = [&](const ShellWord& word, std::string_view number) {
    if (++reported > kMostPorts) return;
    findings.push_back(problem("sbatch-port-above-range", {file, word.begin, word.end},
                               "`" + std::string(number) + "` is no port: the last one is 65535"));
  };
  // What is set twice may be made smaller the second time.
  std::map<std::string_view, int> times;
  for (const ShellCommand& command : commands) {
    for (const ShellWord& word : command.words) {
      if (const std::string_view name = assigned_name(word); !name.empty() && is_of_port(name)) ++times[name];
    }
  }
  for (const ShellCommand& command : commands) {
    for (std::size_t i = 0; i < command.words.size(); ++i) {
      const ShellWord& word = command.words[i];
      const std::string_view name = assigned_name(word);
      if (!name.empty() && is_of_port(name) && is_bare_random(word)) {
        if (++reported <= kMostPorts)
          findings.push_back(problem("sbatch-port-of-random", {file, word.begin, word.end},
                                     "`$RANDOM` is any number from 0 to 32767, and so is this port"));
      } else if (!name.empty() && is_of_port(name) && times[name] == 1) {
        const std::vector<const ShellPart*> parts = written_parts(word);
        const bool plain =
            std::ranges::all_of(parts, [](const ShellPart* part) { return part->kind == ShellPart::Kind::Text; });
        std::string value;
        for (const ShellPart* part : parts) value += part->text;
        value.erase(0, std::min(value.size(), name.size() + 1));
        if (plain && is_beyond(value)) report(word, value);
      } else if (const std::string_view told = told_by_option(command.words, i); is_beyond(told)) {
        report(word, told);
      }
    }
  }
}

}  // namespace muster::sbatch
