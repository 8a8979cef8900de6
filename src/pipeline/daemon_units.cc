#include "pipeline/daemon_units.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "kinds/language.h"
#include "pipeline/input_names.h"
#include "pipeline/spoken_texts.h"

namespace muster {
namespace {

constexpr std::string_view kStart = "ExecStart";

/// The value of a line `KEY=VALUE` with blanks around any of it; nothing where the line is another.
std::optional<std::string_view> value_on(std::string_view line, std::string_view key) {
  const std::string_view words = trim(line);
  if (!words.starts_with(key)) return std::nullopt;
  const std::string_view behind = trim(words.substr(key.size()));
  return behind.starts_with('=') ? std::optional(trim(behind.substr(1))) : std::nullopt;
}

/// The section [Service] of a unit in its text.
struct ServiceSection {
  std::string_view text;
  std::string_view program;  ///< that it starts, without folders
  std::string_view start;    ///< the line, from ExecStart on
};

/// The program of `ExecStart=-/usr/sbin/slurmd -D`, `{{ sbin }}/slurmd $OPTIONS`.
std::string_view started_program(std::string_view command) {
  const std::size_t mark = command.rfind("}}");
  if (mark != command.npos && command.substr(0, command.find("}}")).find("{{") != command.npos &&
      command.substr(mark + 2).starts_with('/'))
    command.remove_prefix(mark + 2);
  const std::string_view path = command.substr(0, command.find_first_of(" \t\r\n"));
  return path.substr(path.find_last_of("/-+!@:") + 1);  // npos + 1 is 0
}

/// Those that start one of the programs. A section ends at the next heading, at the end of a here-document, or far
/// behind.
std::vector<ServiceSection> sections_of(std::string_view text) {
  constexpr std::size_t kMost = 4000;  // characters
  constexpr std::size_t kMostSections = 100;
  std::vector<ServiceSection> out;
  for (std::size_t at = text.find(kStart); at != text.npos; at = text.find(kStart, at + kStart.size())) {
    const std::size_t line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 is 0
    if (!trim(text.substr(line, at - line)).empty()) continue;
    if (out.size() == kMostSections) break;
    const std::size_t near = at - std::min(at, kMost);
    const std::size_t head = text.substr(near, at - near).rfind("[Service]");
    if (head == text.npos) continue;
    std::string_view section = text.substr(near + head, at - near - head + kMost);
    const std::size_t place = at - near - head;
    for (std::size_t end = section.find('\n', place); end != section.npos; end = section.find('\n', end + 1)) {
      const std::string_view next = trim(section.substr(end + 1, section.find('\n', end + 1) - end - 1));
      if (!next.starts_with('[') && !next.starts_with("EO") && next != "---") continue;
      section = section.substr(0, end);
      break;
    }
    const std::string_view start = section.substr(place, section.find('\n', place) - place);
    if (const auto command = value_on(start, kStart)) out.push_back({section, started_program(*command), start});
  }
  return out;
}

/// The last value of a key of the section; nothing where it is not set.
std::optional<std::string_view> value_in(std::string_view section, std::string_view key) {
  std::optional<std::string_view> out;
  for (const std::string_view line : split(section, '\n')) {
    if (const auto value = value_on(line, key)) out = value;
  }
  return out;
}

/// ExecStart with the lines that a backslash joins to it.
std::string_view whole_command(const ServiceSection& section) {
  const auto begin = static_cast<std::size_t>(section.start.data() - section.text.data());
  const std::string_view rest = section.text.substr(begin);
  std::size_t end = rest.find('\n');
  while (end != rest.npos && trim(rest.substr(0, end)).ends_with('\\')) end = rest.find('\n', end + 1);
  return rest.substr(0, end);
}

/// Whether a line other than a comment sets a key: of a drop-in, or of a script that writes one.
bool sets_key(std::string_view text, std::string_view key) {
  return some_line_with(text, key, [&](std::string_view line) {
    return trim(line.substr(line.find(key) + key.size())).starts_with('=') && !trim(line).starts_with('#');
  });
}
bool sets_memory_lock(std::string_view text) { return sets_key(text, "LimitMEMLOCK"); }

/// `{{ slurm_user }}`, `{{ slurm_user.name }}`: what roles call the user of slurmctld.
bool is_slurm_user_mark(std::string_view value) {
  if (!value.starts_with("{{") || !value.ends_with("}}")) return false;
  const std::string_view inner = trim(value.substr(2, value.size() - 4));
  constexpr std::array<std::string_view, 3> kNames{"slurm_user", "slurm_user.name", "slurm_user.user"};
  return std::ranges::find(kNames, inner) != kNames.end();
}

class DaemonUnits {
 public:
  DaemonUnits(const Inputs& inputs, const Model& model, std::vector<Finding>& findings)
      : inputs_(inputs), model_(model), findings_(findings), spoken_(inputs) {}

  void run() {
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const Language language = language_of(inputs_.files[i].context.path);
      if (language == Language::Prose || language == Language::Program) continue;
      const std::string_view text = spoken_.text(i);
      if (!contains(text, kStart)) continue;
      for (const ServiceSection& section : sections_of(text)) {
        if (section.program == "slurmd") {
          judge_memory_lock(static_cast<FileId>(i), text, section);
          judge_delegate(static_cast<FileId>(i), text, section);
        }
        if (section.program != "slurmrestd") continue;
        judge_user(static_cast<FileId>(i), text, section);
        judge_root(static_cast<FileId>(i), text, section);
      }
    }
  }

 private:
  void judge_memory_lock(FileId file, std::string_view text, const ServiceSection& section) {
    if (is_part(file, section) || sets_memory_lock(section.text) || contains(section.text, "{%") ||
        !needs_locked_memory())
      return;
    findings_.push_back(problem("slurm-unit-memory-lock", span_of_part(file, text, section.start),
                                "the unit of slurmd sets no LimitMEMLOCK"));
  }

  /// Where slurmd makes cgroups, systemd has to leave those below its unit alone.
  void judge_delegate(FileId file, std::string_view text, const ServiceSection& section) {
    if (value_in(section.text, "Delegate") || is_part(file, section) || contains(section.text, "{%")) return;
    const auto delegates = [](std::string_view all) { return contains(all, "slurmd") && contains(all, "Delegate"); };
    if (!uses_cgroups() || any(delegates)) return;
    findings_.push_back(problem("slurm-unit-without-delegate", span_of_part(file, text, section.start),
                                "the unit of slurmd sets no Delegate"));
  }
  bool uses_cgroups() const {
    constexpr std::array<std::string_view, 3> kKeys{"proctracktype", "taskplugin", "jobacctgathertype"};
    return std::ranges::any_of(model_.slurm_sites, [&](const SlurmSite& site) {
      return std::ranges::any_of(kKeys, [&](std::string_view key) {
        const SlurmSetting* setting = site.setting(key);
        return setting != nullptr && setting->value.is_set() && contains(setting->value.value, "/cgroup");
      });
    });
  }

  /// Somewhere RDMA is installed, no file gives slurmd the limit otherwise, and PAM sets none for jobs.
  bool needs_locked_memory() {
    if (!needs_) needs_ = !sets_otherwise() && !uses_pam() && speaks_of_rdma();
    return *needs_;
  }
  bool sets_otherwise() const {
    return any([](std::string_view text) { return contains(text, "slurmd") && sets_memory_lock(text); });
  }
  bool speaks_of_rdma() const {
    return any([](std::string_view text) {
      return contains(text, "rdma-core") || contains(text, "libibverbs") || contains(text, "MLNX_OFED") ||
             contains(text, "mlnx-ofed") || contains_ignoring_case(text, "infiniband");
    });
  }
  bool uses_pam() const {
    return std::ranges::any_of(model_.slurm_sites, [](const SlurmSite& site) {
      const SlurmSetting* pam = site.setting("usepam");
      return pam != nullptr && pam->value.value != "0" && !equals_ignoring_case(pam->value.value, "no");
    });
  }
  bool any(bool (*holds)(std::string_view)) const {
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      if (language_of(inputs_.files[i].context.path) != Language::Prose && holds(spoken_.text(i))) return true;
    }
    return false;
  }

  void judge_user(FileId file, std::string_view text, const ServiceSection& section) {
    const std::optional<std::string_view> user = value_in(section.text, "User");
    const bool otherwise =
        contains(section.start, " -u") || contains(section.text, "SLURMRESTD_SECURITY") || contains(section.text, "{%");
    const auto in_a_file = [](std::string_view all) { return contains(all, "SLURMRESTD_SECURITY"); };
    if (!user || otherwise || !is_slurm_user(*user) || any(in_a_file)) return;
    findings_.push_back(problem("slurm-rest-as-slurm-user", span_of_part(file, text, *user),
                                "slurmrestd runs as " + std::string(*user) + ", the user of slurmctld"));
  }

  /// A part that is laid over the unit of the package, which sets what the part does not.
  bool is_part(FileId file, const ServiceSection& section) const {
    return contains(inputs_.files[static_cast<std::size_t>(file)].context.path, ".service.d/") ||
           std::ranges::any_of(split(section.text, '\n'),
                               [](std::string_view line) { return value_on(line, kStart) == std::string_view(); });
  }

  /// A unit of the system is root's where nothing says otherwise.
  void judge_root(FileId file, std::string_view text, const ServiceSection& section) {
    const std::optional<std::string_view> user = value_in(section.text, "User");
    const bool root = !user || *user == "root" || *user == "0";
    if (!root || is_part(file, section) || contains(text, "WantedBy=default.target")) return;
    const std::string_view command = whole_command(section);
    const bool filled = contains(command, "{{") &&
                        (contains_ignoring_case(command, "option") || contains_ignoring_case(command, "args") ||
                         contains_ignoring_case(command, "extra") || contains_ignoring_case(command, "flags"));
    const bool otherwise = contains(command, " -u") || contains(command, "$") || filled ||
                           contains(section.text, "{%") || sets_key(section.text, "DynamicUser");
    if (otherwise || sets_user_elsewhere(file, text)) return;
    findings_.push_back(
        problem("slurm-rest-as-root", span_of_part(file, text, user ? *user : section.start),
                user ? "slurmrestd runs as root" : "the unit of slurmrestd sets no User, and so runs it as root"));
  }

  /// By a drop-in, by a file of its environment, or by who edits the unit.
  bool sets_user_elsewhere(FileId file, std::string_view text) const {
    const auto told = [](std::string_view all) {
      return contains(all, "SLURMRESTD_SECURITY") || contains(all, "slurmrestd.service.d") ||
             contains(all, "edit slurmrestd");
    };
    if (told(text)) return true;
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      if (static_cast<FileId>(i) == file || language_of(inputs_.files[i].context.path) == Language::Prose) continue;
      const std::string_view other = spoken_.text(i);
      const bool names = contains(other, "slurmrestd") || contains(inputs_.files[i].context.path, "slurmrestd");
      if (names &&
          (told(other) || contains(other, "User=") || sets_key(other, "User") || contains(other, "option: User")))
        return true;
    }
    return false;
  }

  bool is_slurm_user(std::string_view user) const {
    if (is_slurm_user_mark(user)) return true;
    return std::ranges::any_of(model_.slurm_sites, [&](const SlurmSite& site) {
      const SlurmSetting* setting = site.setting("slurmuser");
      return setting != nullptr && setting->value.is_set() && setting->value.value == user;
    });
  }

  const Inputs& inputs_;
  const Model& model_;
  std::vector<Finding>& findings_;
  SpokenTexts spoken_;
  std::optional<bool> needs_;
};

}  // namespace

void find_daemon_units(const Inputs& inputs, const Model& model, std::vector<Finding>& findings) {
  const auto starts = [](std::string_view text) { return contains(text, kStart) && contains(text, "slurm"); };
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    if (!starts(inputs.sources.file(static_cast<FileId>(i)).text())) continue;
    return DaemonUnits(inputs, model, findings).run();
  }
}

}  // namespace muster
