#include "pipeline/snakemake_files.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/paths.h"
#include "base/strings.h"
#include "base/version.h"
#include "pipeline/input_names.h"
#include "pipeline/snakemake_releases.h"

namespace muster {
namespace {

/// The key of a line `KEY: VALUE` that begins in the first column; empty: it is none.
std::string_view flat_key(std::string_view line) {
  const std::size_t colon = line.find(':');
  return colon == line.npos ? std::string_view{} : line.substr(0, colon);
}

/// Whether the first line below a key is a key, too, further in; a command may as well begin there.
bool is_map_below(std::string_view text) {
  for (const std::string_view line : split(text.substr(0, 500), '\n')) {
    const std::string_view words = trim(line);
    if (words.empty() || words.starts_with('#')) continue;
    const std::size_t colon = words.find(':');
    return line.starts_with(' ') && colon != words.npos && words.find(' ') > colon &&
           (colon + 1 == words.size() || words[colon + 1] == ' ');
  }
  return false;
}

/// Options that Snakemake 8 does not have any more, as a profile for it names them. Source:
/// snakemake.readthedocs.io/en/stable/getting_started/migration.html (8.0).
void find_removed_keys(FileId file, std::string_view text, std::vector<Finding>& findings) {
  constexpr std::array<std::string_view, 9> kRemoved{"cluster",        "cluster-cancel",  "cluster-cancel-nargs",
                                                     "cluster-config", "cluster-sidecar", "cluster-status",
                                                     "cluster-sync",   "drmaa",           "drmaa-log-dir"};
  for (const std::string_view line : split(text, '\n')) {
    const std::string_view key = flat_key(line);
    if (key.empty() || std::ranges::find(kRemoved, key) == kRemoved.end()) continue;
    const auto end = static_cast<std::size_t>(line.data() + line.size() - text.data());
    if (trim(line.substr(key.size() + 1)).empty() && is_map_below(text.substr(end))) continue;
    findings.push_back(problem("snakemake-key-removed", span_of_part(file, text, key),
                               "Snakemake 8 has no option --" + std::string(key)));
    return;
  }
}

/// `restart-times: 3`, or `retries: 3`, a line of its own.
std::optional<std::int64_t> restarts_of(std::string_view text) {
  for (const std::string_view line : split(text, '\n')) {
    for (const std::string_view key : {"restart-times:", "retries:"}) {
      if (line.starts_with(key)) return parse_int(trim(line.substr(0, line.find('#')).substr(key.size())));
    }
  }
  return std::nullopt;
}

/// `['1d', '3d'][attempt - 1]` of a profile that has more attempts than that.
void find_short_lists(FileId file, std::string_view text, std::vector<Finding>& findings) {
  constexpr std::string_view kIndex = "][attempt";
  constexpr std::size_t kLongestList = 500;
  const std::optional<std::int64_t> restarts = restarts_of(text);
  if (!restarts) return;
  for (std::size_t at = text.find(kIndex); at != text.npos; at = text.find(kIndex, at + 1)) {
    const std::string_view rest = text.substr(at + kIndex.size(), 6);
    std::string_view before = text.substr(at - std::min(at, kLongestList), std::min(at, kLongestList));
    before = before.substr(before.rfind('\n') + 1);  // npos + 1 is 0
    const std::size_t open = before.rfind('[');
    const bool from_first = rest.starts_with(" - 1]") || rest.starts_with("-1]");
    const std::string_view behind = text.substr(at, std::min(text.find('\n', at), text.size()) - at);
    if (contains(behind, " if ")) continue;
    if (!from_first || open == before.npos || contains(before, "#")) continue;
    const std::string_view list = before.substr(open + 1);
    // Commas of amounts and calls are none of the list.
    if (list.find_first_of("(){}*") != list.npos || trim(list).empty() || trim(list).ends_with(',')) continue;
    const auto items = static_cast<std::int64_t>(split(list, ',').size());
    if (*restarts == 0 && items > 1) {
      findings.push_back(
          problem("snakemake-attempts-never-made", span_of_part(file, text, list),
                  "`restart-times: 0` makes one attempt: of this list nothing but the first item is taken"));
      return;
    }
    if (items > *restarts) continue;
    findings.push_back(problem("snakemake-attempts-beyond-list", span_of_part(file, text, list),
                               "a list of " + count_of(static_cast<std::size_t>(items), "item") +
                                   " for as many attempts, and `restart-times` of " + std::to_string(*restarts) +
                                   " has " + std::to_string(*restarts + 1)));
  }
}

/// Whether it has keys that are options of Snakemake's command line and of little else.
bool is_profile(std::string_view text) {
  constexpr std::array<std::string_view, 14> kOptions{
      "cores",          "default-resources", "jobs",          "keep-going", "latency-wait",  "local-cores",
      "printshellcmds", "rerun-incomplete",  "restart-times", "retries",    "set-resources", "set-threads",
      "use-conda",      "use-singularity"};
  return std::ranges::any_of(split(text, '\n'), [&](std::string_view line) {
    return std::ranges::find(kOptions, flat_key(line)) != kOptions.end();
  });
}

/// `config.v8+.yaml`, which Snakemake 8 and later take before `config.yaml`.
bool is_newer_profile(std::string_view name) {
  constexpr std::string_view kBegin = "config.v";
  if (!name.starts_with(kBegin) || !(name.ends_with("+.yaml") || name.ends_with("+.yml"))) return false;
  const std::string_view release = name.substr(kBegin.size(), name.find('+') - kBegin.size());
  const std::optional<std::int64_t> number = parse_int(release);
  return number && *number >= 8;
}

bool is_workflow(std::string_view name) { return name == "Snakefile" || name.ends_with(".smk"); }

struct ExtraOption {
  std::string_view name;
  char letter = ' ';
};

/// What the plugin refuses in slurm_extra since 1.9.0 (snakemake/snakemake-executor-plugin-slurm:
/// snakemake_executor_plugin_slurm/validation.py, get_forbidden_slurm_options); of --job-name see there since 0.6.0.
constexpr std::array<ExtraOption, 21> kRefused{{{"account", 'A'},  {"clusters"},
                                                {"comment"},       {"constraint", 'C'},
                                                {"cpus-per-gpu"},  {"cpus-per-task", 'c'},
                                                {"error", 'e'},    {"export"},
                                                {"gpus"},          {"gres"},
                                                {"job-name", 'J'}, {"mem"},
                                                {"mem-per-cpu"},   {"nodes", 'N'},
                                                {"ntasks", 'n'},   {"ntasks-per-gpu"},
                                                {"output", 'o'},   {"partition", 'p'},
                                                {"qos"},           {"time", 't'},
                                                {"workdir", 'D'}}};

/// The text in quotes behind `slurm_extra` and `=` or `:`; of YAML also what has no quotes. Empty: there is none.
std::string_view extra_of(std::string_view line, bool yaml) {
  constexpr std::string_view kName = "slurm_extra";
  const std::size_t at = line.find(kName);
  if (at == line.npos || trim(line).starts_with('#')) return {};
  std::string_view behind = trim(line.substr(at + kName.size()));
  if (behind.starts_with('"') || behind.starts_with('\'')) behind = trim(behind.substr(1));  // a key in quotes
  if (behind.empty() || (behind.front() != '=' && behind.front() != ':')) return {};
  const bool mapping = behind.front() == ':';
  behind = trim(behind.substr(1));
  if (behind.size() > 1 && contains("frFR", behind.substr(0, 1)) && (behind[1] == '"' || behind[1] == '\''))
    behind.remove_prefix(1);
  if (behind.size() < 2) return {};
  if (behind.front() != '"' && behind.front() != '\'')
    return yaml && mapping ? behind.substr(0, behind.find(" #")) : std::string_view{};
  return behind.substr(1, std::min(behind.find(behind.front(), 1), behind.size()) - 1);
}

/// The option at the beginning of a word that the plugin refuses; nullptr: none.
const ExtraOption* refused_option(std::string_view word) {
  while (word.starts_with('\'') || word.starts_with('"')) word.remove_prefix(1);
  const auto names = [&](const ExtraOption& one) {
    if (!word.starts_with("--"))
      return word.size() > 1 && word[0] == '-' && word[1] == one.letter && (word.size() == 2 || one.letter == 'J');
    const std::string_view name = word.substr(2, word.find('=') == word.npos ? word.npos : word.find('=') - 2);
    return name == one.name;
  };
  const auto found = std::ranges::find_if(kRefused, names);
  return found == kRefused.end() ? nullptr : &*found;
}

/// What stands in quotes behind `configfile:`, joined to one path; empty: only the run knows it.
std::string config_path(std::string_view value) {
  const bool joins = contains(value, "join(") || contains(value, " / ");
  std::string out;
  for (std::size_t open = value.find_first_of("'\""); open != value.npos;) {
    const std::size_t close = value.find(value[open], open + 1);
    if (close == value.npos) break;
    std::string_view part = value.substr(open + 1, close - open - 1);
    part = part.substr(part.rfind('}') + 1);  // what is filled in before; npos + 1 is 0
    if (!joins) out.clear();
    if (!out.empty()) out += '/';
    out += part;
    open = value.find_first_of("'\"", close + 1);
  }
  const std::size_t begin = out.find_first_not_of("./");
  return begin == out.npos ? std::string() : out.substr(begin);
}

/// Whether all of it is a text in quotes.
bool is_literal(std::string_view value) {
  const bool quoted = value.size() > 2 && (value.front() == '"' || value.front() == '\'');
  return quoted && value.find(value.front(), 1) == value.size() - 1;
}

/// Whether the file says what is installed.
bool lists_packages(std::string_view path) {
  return is_yaml_file(path) || path.ends_with(".txt") || path.ends_with(".toml") || is_dockerfile(path);
}

class SnakemakeFiles {
 public:
  SnakemakeFiles(const Inputs& inputs, std::vector<Finding>& findings) : inputs_(inputs), findings_(findings) {}

  void run() {
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const std::string_view path = inputs_.files[i].context.path;
      const std::string_view name = last_part(path);
      const bool profile = is_newer_profile(name) || name == "config.yaml" || name == "config.yml";
      if (is_newer_profile(name)) newer_.insert(folder_of(path));
      if (profile) profiles_.push_back(i);
      if (name == "Snakefile") note_workflow(i);
      if (is_workflow(name)) note_config_file(i);
      if (is_workflow(name) || is_yaml_file(path)) look_for_extras(i, is_yaml_file(path));
    }
    for (const std::size_t i : profiles_) look_at_profile(i);
  }

 private:
  static constexpr std::size_t kLongestPath = 300;  // characters behind `configfile:`

  struct OwnConfig {
    std::string path;
    std::vector<std::string> places;  ///< where a path that is written out may be
  };
  struct Installed {
    std::size_t file = 0;
    bool listed = false;  ///< in a file of packages
    SnakemakePin pin;
  };

  std::string_view text(std::size_t i) const { return inputs_.sources.file(static_cast<FileId>(i)).text(); }

  /// What `configfile: "config/config.yaml"` names, on its line or the one below, is the workflow's own, and no
  /// profile.
  void note_config_file(std::size_t i) {
    constexpr std::string_view kKey = "configfile:";
    const std::string_view all = text(i);
    for (std::size_t at = all.find(kKey); at != all.npos; at = all.find(kKey, at + kKey.size())) {
      const std::size_t line = at == 0 ? 0 : all.rfind('\n', at - 1) + 1;  // npos + 1 is 0
      if (!trim(all.substr(line, at - line)).empty()) continue;
      std::string_view value;
      for (const std::string_view words : split(all.substr(at + kKey.size(), kLongestPath), '\n')) {
        value = trim(words.substr(0, words.find(" #")));
        if (!value.empty() && !value.starts_with('#')) break;
      }
      OwnConfig own{config_path(value), {}};
      const std::string folder(folder_of(inputs_.files[i].context.path));
      if (is_literal(value))
        own.places = {joined_path(folder, own.path), joined_path(std::string(folder_of(folder)), own.path), own.path};
      own_.push_back(std::move(own));
    }
  }

  /// A path that is written out is one from the folder of the workflow, or from where it is run.
  bool is_own_config(std::string_view path) const {
    return std::ranges::any_of(own_, [&](const OwnConfig& one) {
      const auto is_place = [&](std::string_view there) {
        return std::ranges::find(one.places, there) != one.places.end();
      };
      const bool found =
          std::ranges::any_of(profiles_, [&](std::size_t i) { return is_place(inputs_.files[i].context.path); });
      const std::string& name = one.path;
      return found ? is_place(path) : name.empty() || path == name || path.ends_with("/" + name);
    });
  }

  /// A Snakefile is for the profiles below its folder, or below the one above `workflow`.
  void note_workflow(std::size_t i) {
    std::string_view root = folder_of(inputs_.files[i].context.path);
    if (last_part(root) == "workflow") root = folder_of(root);
    const std::int64_t release = least_snakemake(text(i));
    const auto [at, fresh] = releases_.try_emplace(root, release);
    if (!fresh) at->second = std::min(at->second, release);
  }

  /// What the nearest Snakefile above asks for, or what is installed beside it.
  std::int64_t release_for(std::string_view folder) {
    for (;; folder = folder_of(folder)) {
      if (const auto found = releases_.find(folder); found != releases_.end())
        return found->second > 0 ? found->second : installed_below(folder);
      if (folder.empty()) return 0;
    }
  }

  std::int64_t installed_below(std::string_view folder) {
    std::int64_t out = 0;
    for (const Installed& one : installed()) {
      if (!one.listed || !is_below(folder_of(inputs_.files[one.file].context.path), folder)) continue;
      if (one.pin.older || one.pin.at_least == 0) return 0;
      out = out == 0 ? one.pin.at_least : std::min(out, one.pin.at_least);
    }
    return out;
  }

  /// What the files of the input hold Snakemake to.
  const std::vector<Installed>& installed() {
    if (installed_) return *installed_;
    installed_.emplace();
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      some_line_with(text(i), "snakemake", [&](std::string_view line) {
        if (const std::optional<SnakemakePin> pin = snakemake_pin(line))
          installed_->push_back({i, lists_packages(inputs_.files[i].context.path), *pin});
        return false;
      });
    }
    return *installed_;
  }

  bool takes_older_snakemake() {
    return std::ranges::any_of(installed(), [](const Installed& one) { return one.pin.older; });
  }

  void look_at_profile(std::size_t i) {
    find_short_lists(static_cast<FileId>(i), text(i), findings_);
    const std::string_view path = inputs_.files[i].context.path;
    const bool newer = is_newer_profile(last_part(path));
    if (is_own_config(path)) return;
    if (!newer && (newer_.contains(folder_of(path)) || release_for(folder_of(path)) < 8 || !is_profile(text(i))))
      return;
    find_removed_keys(static_cast<FileId>(i), text(i), findings_);
  }

  void look_for_extras(std::size_t i, bool yaml) {
    bool said = false;
    if (contains(text(i), "slurm_extra") && is_handed_on()) return;
    some_line_with(text(i), "slurm_extra", [&](std::string_view line) {
      for (const std::string_view word : split_blanks(extra_of(line, yaml))) {
        const ExtraOption* option = refused_option(word);
        if (option == nullptr) continue;
        const bool named = option->name == "job-name";
        if (takes_older_snakemake() || (!named && (said || takes_older_plugin()))) continue;
        said = said || !named;
        findings_.push_back(problem(named ? "snakemake-job-name" : "snakemake-extra-refused",
                                    span_of_part(static_cast<FileId>(i), text(i), word),
                                    "slurm_extra has --" + std::string(option->name) +
                                        (named ? ", by which the plugin finds its jobs"
                                               : ", which the plugin for Slurm sets itself and refuses since 1.9")));
        return true;
      }
      return false;
    });
  }

  /// A command of the site's own takes slurm_extra: the generic plugin does, and the one for Slurm is named nowhere.
  bool is_handed_on() {
    if (handed_on_) return *handed_on_;
    bool generic = false;
    bool slurm = false;
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      generic = generic || contains(text(i), "cluster-generic");
      slurm = slurm || contains(text(i), "executor-plugin-slurm") || contains(text(i), "executor: slurm") ||
              contains(text(i), "executor slurm");
    }
    return *(handed_on_ = generic && !slurm);
  }

  /// `snakemake-executor-plugin-slurm=1.4` in some file of the input.
  bool takes_older_plugin() {
    if (older_) return *older_;
    older_ = false;
    constexpr std::string_view kPlugin = "snakemake-executor-plugin-slurm";
    for (std::size_t i = 0; i < inputs_.files.size() && !*older_; ++i) {
      some_line_with(text(i), kPlugin, [&](std::string_view line) {
        const std::string_view behind = trim(line.substr(line.find(kPlugin) + kPlugin.size()));
        const std::size_t number = behind.find_first_not_of("=<~ \"'");
        if (number == behind.npos || number == 0 || behind[0] == '-') return false;
        const std::size_t end = std::min(behind.find_first_not_of("0123456789.", number), behind.size());
        const std::optional<Version> release = Version::parse(behind.substr(number, end - number));
        older_ = release && *release < *Version::parse("1.9");
        return *older_;
      });
    }
    return *older_;
  }

  const Inputs& inputs_;
  std::vector<Finding>& findings_;
  std::map<std::string_view, std::int64_t> releases_;  ///< the least that the Snakefile asks for, by its folder
  std::set<std::string_view> newer_;                   ///< folders with a profile for Snakemake 8 and later
  std::vector<std::size_t> profiles_;
  std::vector<OwnConfig> own_;  ///< files that a Snakefile names as the configuration of its workflow
  std::optional<std::vector<Installed>> installed_;
  std::optional<bool> handed_on_;
  std::optional<bool> older_;
};

}  // namespace

void find_snakemake_slips(const Inputs& inputs, std::vector<Finding>& findings) {
  SnakemakeFiles(inputs, findings).run();
}

}  // namespace muster
