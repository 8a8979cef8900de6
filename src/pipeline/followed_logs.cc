#include "pipeline/followed_logs.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

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

std::string_view without_end_slash(std::string_view folder) {
  while (folder.ends_with('/')) folder.remove_suffix(1);
  return folder;
}

/// `SOURCE:TARGET` of volumes: folders that are seen at two paths.
class Volumes {
 public:
  /// The volumes that a text speaks of, `- ./logs:/var/log/slurm:ro`, `-v logs:/logs`.
  void note(std::string_view text) {
    constexpr std::string_view kEnds = " \t\r\n\"',=[]";
    for (std::size_t at = text.find(":/"); at != text.npos && known_ < kMostVolumes; at = text.find(":/", at + 1)) {
      if (text.substr(at).starts_with("://")) continue;
      const std::size_t from = at - std::min(at, kLongest);
      const std::string_view before = text.substr(from, at - from);
      const std::size_t begin = from + before.find_last_of(kEnds) + 1;  // npos + 1 is 0
      std::string_view target = text.substr(at + 1, kLongest);
      target = target.substr(0, target.find_first_of(kEnds));
      target = without_end_slash(target.substr(0, target.find(':')));
      if (begin == at) continue;
      const std::string_view source = without_end_slash(text.substr(begin, at - begin));
      if (targets_[source].insert(target).second) ++known_;
    }
  }

  /// Whether both paths are one file, which volumes show to the host and to containers.
  bool are_one_file(std::string_view path, const std::string& written) {
    const auto [known, fresh] = asked_.try_emplace({std::string(path), written});
    if (fresh) known->second = see_one_file(path, written);
    return known->second;
  }

 private:
  static constexpr std::size_t kMostVolumes = 10'000;
  static constexpr std::size_t kLongest = 300;  // bytes of a path

  bool see_one_file(std::string_view path, std::string_view written) const {
    for (const auto& [source, targets] : targets_) {
      for (const std::string_view target : targets) {
        if (seen_at(path, source, target) == written || seen_at(path, target, source) == written) return true;
        // Few targets are folders around the path, so that the others of a source are looked at for few of them.
        if (!lies_in(path, target)) continue;
        for (const std::string_view other : targets) {
          if (seen_at(path, target, other) == written) return true;
        }
      }
    }
    return false;
  }

  static bool lies_in(std::string_view path, std::string_view folder) {
    return !folder.empty() && path.size() > folder.size() && is_below(path, folder);
  }

  /// What a path is called where the folder is seen at another path; empty: it does not lie in it.
  static std::string seen_at(std::string_view path, std::string_view folder, std::string_view other) {
    return lies_in(path, folder) ? std::string(other) + std::string(path.substr(folder.size())) : std::string();
  }

  std::map<std::string_view, std::set<std::string_view>> targets_;  ///< by source
  std::size_t known_ = 0;
  std::map<std::pair<std::string, std::string>, bool> asked_;
};

/// Whether a line may mount or link something there: `mountPath: /logs`, `ln -s /var/log/slurm /logs`.
bool may_lay_over(std::string_view line, std::string_view folder) {
  constexpr std::array<std::string_view, 4> kLays{"mountPath", "mount ", "target:", "ln -s"};
  const std::string_view behind = line.substr(line.find(folder) + folder.size());
  const bool whole = behind.empty() || contains(" \t\r\"',/;", behind.substr(0, 1));
  return whole && !trim(line).starts_with('#') &&
         std::ranges::any_of(kLays, [&](std::string_view sign) { return contains(line, sign); });
}

/// The input, as far as it tells of folders and of files that are made.
class LogPlaces {
 public:
  explicit LogPlaces(const Inputs& inputs) : inputs_(inputs), names_(inputs) {
    for (std::size_t i = 0; i < inputs.files.size(); ++i) {
      if (language_of(inputs.files[i].context.path) != Language::Prose)
        volumes_.note(inputs.sources.file(static_cast<FileId>(i)).text());
    }
  }

  /// Whether the path may be the log, or another file that is there.
  bool may_be_there(std::string_view path, const Log& log, const SlurmSetting& writes) {
    const std::string& written = writes.value.value;
    if (is_made(path) || volumes_.are_one_file(path, written)) return true;
    for (std::string_view at = folder_of(path); at.size() > 1; at = folder_of(at)) {
      if (is_below(written, at)) break;
      if (names_.is_said_in_line(
              at, [&](std::size_t file, std::string_view line) { return !is_prose(file) && may_lay_over(line, at); }))
        return true;
    }
    return is_set_elsewhere(log, writes);
  }

 private:
  std::string_view path_of(std::size_t file) const { return inputs_.files[file].context.path; }
  bool is_prose(std::size_t file) const { return language_of(path_of(file)) == Language::Prose; }

  bool is_made(std::string_view path) {
    return names_.is_said_in_line(
        path, [&](std::size_t file, std::string_view said) { return !is_prose(file) && !only_looks_at(said); });
  }

  /// A program writes the key, or starts the daemon with -L.
  bool is_set_elsewhere(const Log& log, const SlurmSetting& writes) {
    const auto starts = [&](std::size_t file, std::string_view line) {
      return !is_prose(file) && contains(line, " -L") && !trim(line).starts_with('#');
    };
    const auto sets = [&](std::size_t file, std::string_view line) {
      const bool conf = static_cast<FileId>(file) == writes.where.file || contains(path_of(file), ".conf");
      return !conf && !is_prose(file) && find_word(line, log.key) != line.npos && !trim(line).starts_with('#');
    };
    return names_.is_said_in_line(log.daemon, starts) || names_.is_said_in_line(log.key, sets);
  }

  const Inputs& inputs_;
  InputNames names_;
  Volumes volumes_;
};

}  // namespace

void find_followed_logs(const Inputs& inputs, const Model& model, std::vector<Finding>& findings) {
  if (model.slurm_sites.empty()) return;
  std::optional<LogPlaces> places;
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const Language language = language_of(inputs.files[i].context.path);
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    const bool image = is_dockerfile(inputs.files[i].context.path);
    if (language == Language::Prose || (language == Language::Program && !image) || !contains(text, "tail")) continue;
    for (const std::string_view line : split(text, '\n')) {
      const std::string_view path = followed_log(line);
      const SlurmSetting* writes = path.empty() ? nullptr : written_to(model, *log_of(path), path);
      if (writes == nullptr) continue;
      if (!places) places.emplace(inputs);
      if (places->may_be_there(path, *log_of(path), *writes)) continue;
      Finding finding = problem("slurm-log-followed-elsewhere", span_of_part(static_cast<FileId>(i), text, path),
                                "`" + std::string(path) + "` is followed, and " + std::string(log_of(path)->key) +
                                    " is " + writes->value.value);
      finding.related.push_back({writes->where, "where the daemon writes"});
      findings.push_back(std::move(finding));
    }
  }
}

}  // namespace muster
