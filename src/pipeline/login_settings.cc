#include "pipeline/login_settings.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/slurm_units.h"
#include "base/strings.h"
#include "pipeline/input_names.h"
#include "syntax/placeholder.h"
#include "syntax/shell_reader.h"

namespace muster {
namespace {

struct InputVariable {
  std::string_view name;
  std::string_view option;
};

// Source: SchedMD/slurm:doc/man/man1/sbatch.1, INPUT ENVIRONMENT VARIABLES (24.11.5).
constexpr std::array kInputVariables{InputVariable{"SBATCH_ACCOUNT", "account"},
                                     InputVariable{"SBATCH_CONSTRAINT", "constraint"},
                                     InputVariable{"SBATCH_GPUS", "gpus"},
                                     InputVariable{"SBATCH_GPUS_PER_NODE", "gpus-per-node"},
                                     InputVariable{"SBATCH_GPUS_PER_TASK", "gpus-per-task"},
                                     InputVariable{"SBATCH_GRES", "gres"},
                                     InputVariable{"SBATCH_MEM_PER_CPU", "mem-per-cpu"},
                                     InputVariable{"SBATCH_MEM_PER_GPU", "mem-per-gpu"},
                                     InputVariable{"SBATCH_MEM_PER_NODE", "mem"},
                                     InputVariable{"SBATCH_PARTITION", "partition"},
                                     InputVariable{"SBATCH_QOS", "qos"},
                                     InputVariable{"SBATCH_RESERVATION", "reservation"},
                                     InputVariable{"SBATCH_TIMELIMIT", "time"}};

bool is_read_at_login(std::string_view path) {
  constexpr std::array<std::string_view, 8> kNames{".bash_profile", ".bashrc", ".profile", "bash.bashrc",
                                                   "bash_profile",  "bashrc",  "profile",  ".bash_login"};
  std::string_view name = last_part(path);
  if (name.ends_with(".j2")) name.remove_suffix(3);
  return contains("/" + std::string(path), "/profile.d/") || std::ranges::find(kNames, name) != kNames.end();
}

/// Whether two values of an option ask for the same: `60` and `01:00:00`, `8G` and `8192M`.
bool asks_the_same(std::string_view option, std::string_view one, std::string_view other) {
  if (one == other) return true;
  const auto read = [&](std::string_view value) {
    return option == "time" ? slurm_minutes(value) : option.starts_with("mem") ? slurm_memory(value) : std::nullopt;
  };
  return read(one) && read(one) == read(other);
}

/// The first script that asks for another value; nullptr: none.
const SbatchPair* asked_otherwise(const Model& model, std::string_view option, std::string_view value) {
  for (const SbatchJob& job : model.sbatch_jobs) {
    for (const SbatchPair& pair : job.options) {
      if (pair.name == option && pair.value.is_set() && !asks_the_same(option, pair.value.value, value)) return &pair;
    }
  }
  return nullptr;
}

/// The value of `NAME=VALUE` where the text has all of it; empty: only the shell knows it.
std::string_view written_value(const ShellWord& word, std::string_view text) {
  const bool known = std::ranges::all_of(word.parts, [](const ShellPart& part) {
    return part.kind == ShellPart::Kind::Text && !contains(part.text, "{{");
  });
  if (!known || !word.items.empty()) return {};
  std::string_view value = text.substr(word.begin, word.end - word.begin);
  value = value.substr(value.find('=') + 1);
  while (!value.empty() && contains("\"'", value.substr(0, 1))) value.remove_prefix(1);
  while (!value.empty() && contains("\"'", value.substr(value.size() - 1))) value.remove_suffix(1);
  return is_placeholder(value) ? std::string_view() : value;
}

void look_at_setting(FileId file, std::string_view text, const ShellWord& word, const Model& model,
                     std::vector<Finding>& findings) {
  const auto known = std::ranges::find(kInputVariables, assigned_name(word), &InputVariable::name);
  if (known == kInputVariables.end()) return;
  const std::string_view value = written_value(word, text);
  if (value.empty() || contains(text, "unset " + std::string(known->name))) return;
  const SbatchPair* other = asked_otherwise(model, known->option, value);
  if (other == nullptr) return;
  const std::string_view setting = text.substr(word.begin, known->name.size() + 1 + value.size());
  findings.push_back(problem("sbatch-variable-overrides-script", span_of_part(file, text, setting),
                             std::string(known->name) + " wins over `--" + std::string(known->option) + "=" +
                                 other->value.value + "` of batch scripts"));
  findings.back().related.push_back({other->where, "a script that asks for something else"});
}

}  // namespace

void find_login_settings(const Inputs& inputs, const Model& model, std::vector<Finding>& findings) {
  if (model.sbatch_jobs.empty()) return;
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const auto file = static_cast<FileId>(i);
    const std::string_view text = inputs.sources.file(file).text();
    if (!is_read_at_login(inputs.files[i].context.path) || !contains(text, "export SBATCH_")) continue;
    if (contains(text, "{%")) continue;  // conditions that the shell does not see
    for (const ShellCommand& command : read_shell(text)) {
      if (command.words.empty() || plain_text(command.words.front()) != "export" || !surely_runs(command)) continue;
      for (const ShellWord& word : command.words) look_at_setting(file, text, word, model, findings);
    }
  }
}

}  // namespace muster
