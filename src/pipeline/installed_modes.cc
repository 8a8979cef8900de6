#include "pipeline/installed_modes.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>

#include "base/strings.h"
#include "base/version.h"
#include "kinds/language.h"
#include "pipeline/input_names.h"
#include "pipeline/playbook_modules.h"
#include "pipeline/playbook_parameters.h"
#include "slurm/stated_release.h"

namespace muster {
namespace {

constexpr std::size_t kMostModes = 3000;

/// What gives a mode to a file.
struct InstalledMode {
  std::string path;         ///< as written, or `*` in it
  std::optional<int> mode;  ///< nothing: in words, or not known
  Span where;
  std::string_view role;  ///< of a playbook's
  bool playbook = false;
  bool recursive = false;
  bool own_group = false;  ///< of root, of Slurm or of the owner: nobody else is in it, as a rule
};

std::string_view unquoted_word(std::string_view text) {
  while (!text.empty() && (text.front() == '"' || text.front() == '\'')) text.remove_prefix(1);
  while (!text.empty() && contains("\"';", text.substr(text.size() - 1))) text.remove_suffix(1);
  return text;
}

/// What owner, group and others may do by `0644` or `644`.
std::optional<int> rights_of(std::string_view mode) {
  const std::optional<int> octal = octal_mode(mode);
  return octal ? std::optional(*octal & 0777) : std::nullopt;
}

/// Whether a mode of one is one of the other, too; a path that begins nowhere may be the same.
bool covers(const InstalledMode& one, std::string_view path) {
  if (one.path == path) return true;
  if (one.recursive && path.starts_with(one.path + "/")) return true;
  const std::size_t star = one.path.find('*');
  if (star != std::string::npos)
    return path.starts_with(one.path.substr(0, star)) && path.ends_with(one.path.substr(star + 1));
  const bool relative = !one.path.starts_with('/') || contains(one.path, "$") || contains(one.path, "{");
  return (relative || contains(path, "{") || contains(path, "$")) && last_part(one.path) == last_part(path);
}

/// `{{ item }}` and `{{ item.dest }}` of a text with what the item says.
std::string filled_with(std::string text, const Node& item) {
  const auto fill = [&](const std::string& name, std::string_view value) {
    for (const char* blank : {" ", ""})
      text = replace_all(std::move(text), std::string("{{") + blank + name + blank + "}}", value);
  };
  if (item.is_scalar()) fill("item", item.text());
  for (std::size_t i = 0; item.is_mapping() && i < item.size(); ++i) {
    if (item.value(i).is_scalar()) fill("item." + std::string(item.key(i).text()), item.value(i).text());
  }
  return text;
}

class InstalledModes {
 public:
  InstalledModes(const Inputs& inputs, const PlaybookTexts& texts, std::vector<Finding>& findings)
      : inputs_(inputs), texts_(texts), findings_(findings) {}

  void run() {
    for (const PlaybookText& text : texts_.all)
      each_task_of(text, [&](const Node& task) { note_task(text, task); }, [](const Node&) {});
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) note_text(i);
    if (modes_.empty() || modes_.size() > kMostModes) return;
    before_check_ = takes_any_mode();
    for (const InstalledMode& one : modes_) judge(one);
  }

 private:
  void note_task(const PlaybookText& text, const Node& task) {
    constexpr std::array<std::string_view, 4> kWriters{"copy", "file", "get_url", "template"};
    for (std::size_t i = 0; i < task.size(); ++i) {
      const PlaybookModule* module = playbook_module(task.key(i).text());
      if (module == nullptr || std::ranges::find(kWriters, module->name) == kWriters.end()) continue;
      const std::vector<TaskParameter> all = parameters_of(task.value(i));
      const auto find = [&](std::initializer_list<std::string_view> names) {
        return std::ranges::find_if(
            all, [&](const TaskParameter& one) { return std::ranges::find(names, one.name) != names.end(); });
      };
      const auto mode = find({"mode"});
      const auto dest = find({"dest", "path"});
      if (mode == all.end() || dest == all.end()) return;
      const auto src = find({"src"});
      std::string path(unquoted_word(dest->value));
      if (path.ends_with('/') && src != all.end() && module->name == "copy")
        path += last_part(unquoted_word(src->value));
      const bool recursive = find({"recurse"}) != all.end();
      items(task, [&](const Node& item) {
        const std::string written = filled_with(std::string(unquoted_word(mode->value)), item);
        // Without a leading 0 a number of YAML is a decimal one.
        const bool decimal = mode->plain && !written.starts_with('0') && written == mode->value;
        const bool own = item.is_mapping() && contains(mode->value, "item");
        modes_.push_back({filled_with(path, item), decimal ? std::nullopt : rights_of(written),
                          own ? item.where() : mode->value_where, text.role, true, recursive,
                          is_group_of_few(text_of(all, "group"), text_of(all, "owner"))});
      });
      return;
    }
  }

  static std::string_view text_of(const std::vector<TaskParameter>& all, std::string_view name) {
    const auto found = std::ranges::find(all, name, &TaskParameter::name);
    return found == all.end() ? std::string_view() : unquoted_word(found->value);
  }
  static bool is_group_of_few(std::string_view group, std::string_view owner) {
    return group == "root" || group == "slurm" || group == "munge" || (!group.empty() && group == owner);
  }

  template <class Take>
  static void items(const Node& task, const Take& take) {
    for (const char* key : {"loop", "with_items"}) {
      const Node list = task[key];
      for (std::size_t i = 0; list.is_sequence() && i < list.size(); ++i) take(list.item(i));
      if (list.exists()) return;
    }
    take(Node());
  }

  /// Lines of scripts and Dockerfiles, and of whatever else has commands in it.
  void note_text(std::size_t i) {
    const std::string& path = inputs_.files[i].context.path;
    if (language_of(path) == Language::Prose) return;
    const auto file = static_cast<FileId>(i);
    const std::string_view text = inputs_.sources.file(file).text();
    for (const std::string_view command : {"chmod", "install "}) {
      some_line_with(text, command, [&](std::string_view line) {
        if (!trim(line).starts_with('#') && !trim(line).starts_with("//")) note_line(file, text, line);
        return modes_.size() > kMostModes;
      });
    }
    some_line_with(text, "=/", [&](std::string_view line) {
      note_program(trim(line));
      return false;
    });
    some_line_with(text, "={{", [&](std::string_view line) {
      note_program(trim(line));
      return false;
    });
  }

  void note_line(FileId file, std::string_view text, std::string_view line) {
    const std::vector<std::string_view> words = split_blanks(line);
    const Span where = span_of_part(file, text, line);
    for (std::size_t w = 0; w + 1 < words.size() && modes_.size() <= kMostModes; ++w) {
      std::optional<int> mode;
      bool given = false;
      bool recursive = false;
      std::size_t from = w + 1;
      if (unquoted_word(words[w]).ends_with("chmod")) {
        while (from < words.size() && words[from].starts_with('-'))
          recursive = contains(words[from++], "R") || recursive;
        if (from >= words.size()) return;
        mode = rights_of(unquoted_word(words[from++]));
        given = true;
      } else if (words[w] == "install" || words[w].ends_with("/install")) {
        for (std::size_t k = from; k < words.size() && words[k] != "install"; ++k) {
          if (words[k].starts_with("-m") && words[k].size() > 2) mode = rights_of(words[k].substr(2));
          if ((words[k] == "-m" || words[k].ends_with("m")) && words[k].starts_with('-') && k + 1 < words.size())
            mode = mode ? mode : rights_of(words[k + 1]);
        }
        given = mode.has_value();
      } else if (words[w].starts_with("--chmod=")) {
        mode = rights_of(words[w].substr(8));
        given = true;
      }
      if (!given) continue;
      for (std::size_t k = from; k < words.size() && words[k] != "&&" && words[k] != "||" && words[k] != ";"; ++k) {
        if (modes_.size() > kMostModes) return;
        const std::string_view path = unquoted_word(words[k]);
        if (path.empty() || path.starts_with('-') || path == "\\") continue;
        modes_.push_back({std::string(path), mode, where, {}, false, recursive});
        if (words[k].ends_with(';')) break;
      }
    }
  }

  /// `Prolog=/etc/slurm/prolog.sh`
  void note_program(std::string_view line) {
    constexpr std::array<std::string_view, 11> kProgramKeys{
        "Epilog",        "EpilogSlurmctld",   "HealthCheckProgram", "Prolog",     "PrologSlurmctld", "RebootProgram",
        "ResumeProgram", "ResumeFailProgram", "SuspendProgram",     "TaskEpilog", "TaskProlog"};
    const std::size_t sign = line.find('=');
    const std::string_view key = trim(line.substr(0, sign));
    const auto known =
        std::ranges::find_if(kProgramKeys, [&](std::string_view one) { return equals_ignoring_case(one, key); });
    if (known == kProgramKeys.end()) return;
    const std::string_view value = trim(line.substr(sign + 1));
    const std::size_t end = contains(value, "{{") ? value.size() : value.find_first_of(" \t#");
    programs_.emplace(std::string(value.substr(0, end)), *known);
  }

  /// Whether something else gives another mode to the path, of the same playbook or by a command.
  template <class Holds>
  bool is_given_elsewhere(const InstalledMode& one, Holds holds) const {
    return std::ranges::any_of(modes_, [&](const InstalledMode& other) {
      if (&other == &one || !covers(other, one.path)) return false;
      if (other.mode && !holds(*other.mode)) return false;
      return other.where.file == one.where.file || (other.playbook == one.playbook && other.role == one.role);
    });
  }

  void judge(const InstalledMode& one) {
    // A path from where a command stands may be that of the source.
    const bool whole = one.path.starts_with('/') || one.path.starts_with('$') || one.path.starts_with('{');
    if (!one.mode || !whole || one.path.find('*') != one.path.npos) return;
    const auto fits = [](int mode) { return mode == 0600 || mode == 0640; };
    if (last_part(one.path) == "slurmdbd.conf" && !before_check_ && !fits(*one.mode) && ++judged_ < kMostModes &&
        !is_given_elsewhere(one, fits))
      findings_.push_back(problem("slurmdbd-conf-mode", one.where, "slurmdbd.conf gets mode " + digits(*one.mode)));
    const auto shows = [](int mode) { return (mode & 0004) != 0; };
    const bool client = contains(one.path, "/slurm") && last_part(one.path) == "slurm.conf";
    if (client && one.own_group && (*one.mode & 0044) == 0040 && !is_configless() && ++judged_ < kMostModes &&
        !is_given_elsewhere(one, shows))
      findings_.push_back(
          problem("slurm-conf-for-group-alone", one.where,
                  "mode " + digits(*one.mode) + " keeps users from slurm.conf who are not of its group"));
    const auto runs = [](int mode) { return (mode & 0111) != 0; };
    const auto program = programs_.find(one.path);
    if (program != programs_.end() && !runs(*one.mode) && ++judged_ < kMostModes && !is_given_elsewhere(one, runs))
      findings_.push_back(problem("slurm-program-not-executable", one.where,
                                  "mode " + digits(*one.mode) + " lets nobody run `" + one.path + "`, which " +
                                      std::string(program->second) + " names"));
  }

  /// Whether the input installs a release that asks for no mode. Source: SchedMD/slurm, commit 69853cfdc3 (20.11).
  bool takes_any_mode() const {
    std::vector<Located<std::string>> stated;
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const auto file = static_cast<FileId>(i);
      const std::string_view text = inputs_.sources.file(file).text();
      if (!contains_ignoring_case(text, "slurm") || language_of(inputs_.files[i].context.path) == Language::Prose)
        continue;
      for (Located<std::string>& one : slurm_releases_stated_in(file, text)) stated.push_back(std::move(one));
    }
    const Located<std::string> common = common_release(stated);
    const std::optional<Version> release = common.is_set() ? Version::parse(common.value) : std::nullopt;
    return release && *release < *Version::parse("20.11");
  }

  /// Clients get theirs from slurmctld, whatever lies on the nodes.
  bool is_configless() {
    if (configless_) return *configless_;
    configless_ = false;
    for (std::size_t i = 0; i < inputs_.files.size() && !*configless_; ++i) {
      const std::string_view text = inputs_.sources.file(static_cast<FileId>(i)).text();
      configless_ = contains(text, "conf-server") || contains(text, "enable_configless");
    }
    return *configless_;
  }

  static std::string digits(int mode) {
    return {static_cast<char>('0' + mode / 64), static_cast<char>('0' + mode / 8 % 8),
            static_cast<char>('0' + mode % 8)};
  }

  const Inputs& inputs_;
  const PlaybookTexts& texts_;
  std::vector<Finding>& findings_;
  std::vector<InstalledMode> modes_;
  std::map<std::string, std::string_view, std::less<>> programs_;  ///< what a slurm.conf names, and by which key
  std::size_t judged_ = 0;
  bool before_check_ = false;       ///< a release is installed that takes any mode of slurmdbd.conf
  std::optional<bool> configless_;  ///< once it was asked
};

}  // namespace

void find_installed_modes(const Inputs& inputs, const PlaybookTexts& texts, std::vector<Finding>& findings) {
  InstalledModes(inputs, texts, findings).run();
}

}  // namespace muster
