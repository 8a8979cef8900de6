#include "pipeline/followed_logs.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "gang/coupling.h"
#include "kinds/language.h"
#include "pipeline/input_names.h"

namespace muster {
namespace {

struct Log {
  std::string_view daemon;
  std::string_view key;
  std::string_view lower_key;
};
constexpr std::array kLogs{Log{"slurmctld", "SlurmctldLogFile", "slurmctldlogfile"},
                           Log{"slurmdbd", "LogFile", "logfile"}, Log{"slurmd", "SlurmdLogFile", "slurmdlogfile"}};

const Log* log_of(std::string_view path) {
  const std::string_view name = last_part(path);
  const auto found = std::ranges::find_if(kLogs, [&](const Log& log) { return name.starts_with(log.daemon); });
  return found == kLogs.end() ? nullptr : &*found;
}

bool is_path_of_log(std::string_view word) {
  return word.starts_with('/') && word.ends_with(".log") && word.find_first_of("$*?{}%<>\\'\"`,;") == word.npos;
}

/// A path that `tail -f` follows on a line, within it; empty: none, or the line only prints a hint.
std::string_view followed_log(std::string_view line) {
  const std::size_t at = find_word(line, "tail");
  const bool says = find_word(line, "echo") != line.npos || find_word(line, "printf") != line.npos;
  if (at == line.npos || says || trim(line).starts_with('#')) return {};
  const std::string_view command = line.substr(at);
  const bool follows = contains(command, " -f") || contains(command, " -F") || contains(command, "--follow") ||
                       contains(command, "\"-f\"") || contains(command, "\"-F\"");
  if (!follows) return {};
  const std::size_t begin = command.find('/');
  if (begin == command.npos) return {};
  const std::string_view rest = command.substr(begin);
  const std::string_view word = rest.substr(0, rest.find_first_of(" \t\r\"'`;,&|)]>"));
  return is_path_of_log(word) && log_of(word) != nullptr ? word : std::string_view{};
}

bool is_a_log(const SlurmSetting& setting, std::string_view path) {
  return setting.lower_key.ends_with("logfile") && setting.value.is_set() && setting.value.value == path;
}

/// Where the daemon writes, as the one site that says so has it; nothing: no site does, or none of it is sure.
const SlurmSetting* written_to(const Model& model, const Log& log, std::string_view path) {
  const SlurmSetting* found = nullptr;
  for (const SlurmSite& site : model.slurm_sites) {
    const bool ours = std::ranges::any_of(site.settings, [&](const auto& one) { return is_a_log(one, path); }) ||
                      std::ranges::any_of(site.database, [&](const auto& one) { return is_a_log(one, path); });
    if (ours || std::ranges::find(site.open_keys, log.lower_key) != site.open_keys.end()) return nullptr;
    const SlurmSetting* setting =
        log.lower_key == "logfile" ? last_setting(site.database, log.lower_key) : site.setting(log.lower_key);
    if (setting == nullptr) continue;
    const bool sure = setting->value.is_set() && !setting->conditional && setting->value.value.starts_with('/') &&
                      !contains(setting->value.value, "%");
    if (!sure || found != nullptr) return nullptr;
    found = setting;
  }
  return found;
}

/// What only looks at a log does not make it; what writes anything in its line may.
bool only_looks_at(std::string_view line) {
  constexpr std::array<std::string_view, 5> kMakes{"touch ", "mkfifo ", "ln ", "tee ", ">"};
  if (std::ranges::any_of(kMakes, [&](std::string_view sign) { return contains(line, sign); }))
    return trim(line).starts_with('#');
  constexpr std::array<std::string_view, 6> kLooks{"tail", "echo", "cat", "less", "grep", "head"};
  return trim(line).starts_with('#') ||
         std::ranges::any_of(kLooks, [&](std::string_view word) { return find_word(line, word) != line.npos; });
}

}  // namespace

void find_followed_logs(const Inputs& inputs, const Model& model, std::vector<Finding>& findings) {
  if (model.slurm_sites.empty()) return;
  std::optional<InputNames> names;
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const Language language = language_of(inputs.files[i].context.path);
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    const bool image = contains(last_part(inputs.files[i].context.path), "Dockerfile");
    if (language == Language::Prose || (language == Language::Program && !image) || !contains(text, "tail")) continue;
    for (const std::string_view line : split(text, '\n')) {
      const std::string_view path = followed_log(line);
      const SlurmSetting* writes = path.empty() ? nullptr : written_to(model, *log_of(path), path);
      if (writes == nullptr) continue;
      if (!names) names.emplace(inputs);
      const bool made = names->is_said_in_line(path, [&](std::size_t file, std::string_view said) {
        return language_of(inputs.files[file].context.path) != Language::Prose && !only_looks_at(said);
      });
      if (made) continue;
      Finding finding = problem("slurm-log-followed-elsewhere", span_of_part(static_cast<FileId>(i), text, path),
                                "`" + std::string(path) + "` is followed, and " + std::string(log_of(path)->key) +
                                    " is " + writes->value.value);
      finding.related.push_back({writes->where, "where the daemon writes"});
      findings.push_back(std::move(finding));
    }
  }
}

}  // namespace muster
