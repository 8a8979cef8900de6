#include "pipeline/container_daemons.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "kinds/language.h"
#include "pipeline/input_names.h"

namespace muster {
namespace {

/// `command: ["slurmd", "-D"]`, `command: slurmd -Dvvv`; not one of a shell, which may start more before it.
bool commands_slurmd(std::string_view line) {
  constexpr std::string_view kCommand = "command:";
  line = trim(line);
  if (!line.starts_with(kCommand)) return false;
  line.remove_prefix(kCommand.size());
  const std::size_t begin = line.find_first_not_of(" \t[\"'");
  if (begin == line.npos) return false;
  const std::string_view word = line.substr(begin, line.find_first_of(" \t,\"']", begin) - begin);
  return word == "slurmd" || word.ends_with("/slurmd");
}

std::optional<Span> slurmd_command(FileId file, std::string_view text) {
  if (!contains(text, "services:") || !contains(text, "slurmd")) return std::nullopt;
  for (const std::string_view line : split(text, '\n')) {
    if (!commands_slurmd(line)) continue;
    return span_of_part(file, text, line.substr(line.find("command:")));
  }
  return std::nullopt;
}

/// Something may run systemd or its bus in some container, or says how; comments run nothing.
bool runs_systemd(std::string_view text) {
  constexpr std::array<std::string_view, 6> kWords{"systemd",   "/sbin/init",  "dbus-daemon",
                                                   "/run/dbus", "dbus-launch", "slurmstepd.scope"};
  if (std::ranges::none_of(kWords, [&](std::string_view word) { return contains(text, word); })) return false;
  return std::ranges::any_of(split(text, '\n'), [&](std::string_view line) {
    const std::string_view code = line.substr(0, line.find('#'));
    return std::ranges::any_of(kWords, [&](std::string_view word) { return contains(code, word); });
  });
}

const SlurmSetting* v2_plugin(const SlurmSite& site) {
  const SlurmSetting* plugin = last_setting(site.cgroup, "cgroupplugin");
  if (plugin == nullptr || !plugin->value.is_set() || plugin->value.value != "cgroup/v2") return nullptr;
  for (const char* key : {"ignoresystemd", "ignoresystemdonfailure"}) {
    const SlurmSetting* ignores = last_setting(site.cgroup, key);
    if (ignores != nullptr && !(ignores->value.is_set() && equals_ignoring_case(ignores->value.value, "no")))
      return nullptr;
  }
  return plugin;
}

bool uses_cgroups(const SlurmSite& site) {
  return std::ranges::any_of(std::array{"proctracktype", "taskplugin", "jobacctgathertype"}, [&](const char* key) {
    const SlurmSetting* setting = site.setting(key);
    return setting != nullptr && setting->value.is_set() && contains(setting->value.value, "cgroup");
  });
}

// --- munge

bool draws_munge_key(std::string_view line) {
  return contains(line, "create-munge-key") || contains(line, "mungekey ") ||
         (contains(line, "munge.key") && (contains(line, "random") || contains(line, "openssl rand")));
}

struct DrawnKey {
  std::size_t line = 0;  ///< where the first line that draws one begins
  std::size_t size = 0;
  bool brought = false;  ///< some other line speaks of the key: it may be copied, or taken from elsewhere
};

std::optional<DrawnKey> drawn_key(std::string_view text) {
  std::optional<DrawnKey> out;
  bool brought = false;
  for (const std::string_view line : split(text, '\n')) {
    if (trim(line).starts_with('#')) continue;
    if (draws_munge_key(line)) {
      if (!out) out = DrawnKey{static_cast<std::size_t>(line.data() - text.data()), line.size(), false};
    } else {
      const bool keeps = contains(line, "chown") || contains(line, "chmod") || contains(line, "install -d");
      brought = brought || (contains(line, "/etc/munge") && !keeps) || contains(line, "COPY --from");
    }
  }
  if (out) out->brought = brought;
  return out;
}

/// Whether a compose file in that folder may build it: by its name, or by its folder as it is seen from there.
bool is_built_in(std::string_view compose, std::string_view folder, std::string_view recipe) {
  std::string_view name = last_part(recipe);
  if (name == "Dockerfile" || name == "Containerfile") {
    name = folder_of(recipe);
    if (!folder.empty() && name.starts_with(folder)) name.remove_prefix(std::min(folder.size() + 1, name.size()));
  }
  return !name.empty() && contains(compose, name);
}

constexpr std::size_t kMostBuilds = 20'000;  // looks for one recipe in one compose file

/// A compose file that builds images; a workflow of CI has `jobs:`.
bool builds_images(std::string_view text) {
  return contains(text, "services:") && !contains(text, "jobs:") &&
         (contains(text, "build:") || contains(text, "context:") || contains(text, "dockerfile:"));
}

/// Images of which each draws a key when it is built, and nothing that gives them the same.
void find_munge_keys(const Inputs& inputs, std::vector<Finding>& findings) {
  struct Drawn {
    std::size_t file = 0;
    DrawnKey key;
  };
  std::vector<Drawn> drawn;
  bool shared = false;
  for (std::size_t i = 0; !shared && i < inputs.files.size(); ++i) {
    const std::string_view path = inputs.files[i].context.path;
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    if (language_of(path) == Language::Prose || !contains(text, "munge")) continue;
    const std::optional<DrawnKey> key = is_dockerfile(path) ? drawn_key(text) : std::nullopt;
    if (key) drawn.push_back({i, *key});
    shared =
        key ? key->brought : contains(text, "munge.key") || contains(text, "etc/munge") || contains(text, "etc_munge");
  }
  if (shared || drawn.size() < 2) return;
  bool together = false;
  std::size_t looks = 0;
  // Recipes that no file builds side by side may be two of one image.
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    if (!builds_images(text) || (looks += drawn.size()) > kMostBuilds) continue;
    const std::string_view folder = folder_of(inputs.files[i].context.path);
    std::vector<Drawn> both;
    std::ranges::copy_if(drawn, std::back_inserter(both), [&](const Drawn& one) {
      return is_built_in(text, folder, inputs.files[one.file].context.path);
    });
    if (both.size() < 2) continue;
    drawn = std::move(both);
    together = true;
    break;
  }
  if (!together) return;
  const auto place = [](const Drawn& one) {
    const auto begin = static_cast<std::uint32_t>(one.key.line);
    return Span{static_cast<FileId>(one.file), begin, begin + static_cast<std::uint32_t>(one.key.size)};
  };
  findings.push_back(problem("slurm-munge-key-per-image", place(drawn[1]),
                             "this image draws a key of munge of its own, as another one does"));
  findings.back().related.push_back({place(drawn[0]), "the other"});
}

// --- users

/// What sites name as SlurmUser, by a name that each image resolves for itself.
std::set<std::string> slurm_users(const Model& model) {
  std::set<std::string> out;
  for (const SlurmSite& site : model.slurm_sites) {
    const SlurmSetting* user = site.setting("slurmuser");
    if (user == nullptr || !user->value.is_set() || user->value.value.empty()) continue;
    const std::string& name = user->value.value;
    if (name != "root" && !is_digit(name.front())) out.insert(name);
  }
  return out;
}

/// `-u 990`, `-u990`, `--uid=990`; empty: the command says no number.
std::string_view user_number(const std::vector<std::string_view>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if ((words[i] == "-u" || words[i] == "--uid") && i + 1 < words.size()) return words[i + 1];
    if (words[i].starts_with("--uid=")) return words[i].substr(6);
    if (words[i].starts_with("-u") && words[i].size() > 2 && is_digit(words[i][2])) return words[i].substr(2);
  }
  return {};
}

struct MadeUser {
  std::size_t file = 0;
  std::size_t begin = 0;
  std::size_t size = 0;
  std::string_view number;
};

/// Whether an image has to do with Slurm's daemons, other than by the name of a user.
bool speaks_of_daemons(std::string_view text) {
  constexpr std::array<std::string_view, 5> kWords{"slurmd", "slurmctld", "slurmdbd", "slurm.conf", "munge"};
  return std::ranges::any_of(kWords, [&](std::string_view word) { return contains(text, word); });
}

/// The one command of a recipe that makes the user with a number; nothing where several do, or a variable says it.
std::optional<MadeUser> made_user(std::string_view text, std::string_view user, std::size_t file) {
  std::string joined(text);
  for (std::size_t at = joined.find("\\\n"); at != joined.npos; at = joined.find("\\\n", at))
    joined.replace(at, 2, "  ");
  std::optional<MadeUser> out;
  for (const std::string_view line : split(joined, '\n')) {
    if (trim(line).starts_with('#')) continue;
    for (std::size_t begin = 0; begin < line.size();) {
      const std::size_t end = std::min(line.find_first_of("&;|", begin), line.size());
      const std::string_view command = trim(line.substr(begin, end - begin));
      begin = end + 1;
      const std::vector<std::string_view> words = split_blanks(command);
      if (words.size() < 2 || words.back() != user) continue;
      const auto makes = std::ranges::find_if(words, [](std::string_view word) {
        return last_part(word) == "useradd" || last_part(word) == "adduser" || last_part(word) == "usermod";
      });
      const std::string_view number = makes == words.end() ? std::string_view{} : user_number(words);
      if (number.empty()) continue;
      if (out || !std::ranges::all_of(number, is_digit)) return std::nullopt;
      const auto at = static_cast<std::size_t>(makes->data() - joined.data());
      const auto size = static_cast<std::size_t>(command.data() + command.size() - makes->data());
      const auto digits = static_cast<std::size_t>(number.data() - joined.data());
      out = MadeUser{file, at, size, text.substr(digits, number.size())};
    }
  }
  return out;
}

/// Images that one compose file builds, in which SlurmUser is another number.
void find_user_numbers(const Inputs& inputs, const Model& model, std::vector<Finding>& findings) {
  const auto text = [&](std::size_t i) { return inputs.sources.file(static_cast<FileId>(i)).text(); };
  for (const std::string& user : slurm_users(model)) {
    std::vector<MadeUser> made;
    for (std::size_t i = 0; i < inputs.files.size(); ++i) {
      if (!is_dockerfile(inputs.files[i].context.path)) {
        // An entrypoint may give all of them one number.
        if (contains(text(i), "usermod") && contains(text(i), user)) return;
        continue;
      }
      if (!contains(text(i), user) || !speaks_of_daemons(text(i))) continue;
      if (const std::optional<MadeUser> one = made_user(text(i), user, i)) made.push_back(*one);
    }
    const auto differs = [&](const MadeUser& one) { return one.number != made.front().number; };
    if (std::ranges::none_of(made, differs)) continue;
    std::size_t looks = 0;
    for (std::size_t i = 0; i < inputs.files.size(); ++i) {
      if (!builds_images(text(i)) || (looks += made.size()) > kMostBuilds) continue;
      const std::string_view folder = folder_of(inputs.files[i].context.path);
      std::vector<MadeUser> built;
      std::ranges::copy_if(made, std::back_inserter(built), [&](const MadeUser& one) {
        const std::string_view recipe = inputs.files[one.file].context.path;
        return is_below(folder_of(recipe), folder) && is_built_in(text(i), folder, recipe);
      });
      const auto other =
          std::ranges::find_if(built, [&](const MadeUser& one) { return one.number != built.front().number; });
      if (other == built.end()) continue;
      const auto place = [](const MadeUser& one) {
        const auto begin = static_cast<std::uint32_t>(one.begin);
        return Span{static_cast<FileId>(one.file), begin, begin + static_cast<std::uint32_t>(one.size)};
      };
      findings.push_back(problem("slurm-user-number-per-image", place(*other),
                                 "SlurmUser `" + user + "` is " + std::string(other->number) + " in this image, and " +
                                     std::string(built.front().number) + " in another of the cluster"));
      findings.back().related.push_back({place(built.front()), "the other"});
      break;  // of several compose files one is looked at
    }
  }
}

}  // namespace

void find_container_daemons(const Inputs& inputs, const Model& model, std::vector<Finding>& findings) {
  find_munge_keys(inputs, findings);
  find_user_numbers(inputs, model, findings);
  if (std::ranges::none_of(model.slurm_sites, [](const SlurmSite& site) { return v2_plugin(site) != nullptr; })) return;
  const auto text = [&](std::size_t i) { return inputs.sources.file(static_cast<FileId>(i)).text(); };
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    if (language_of(inputs.files[i].context.path) != Language::Prose && runs_systemd(text(i))) return;
  }
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const std::optional<Span> command = slurmd_command(static_cast<FileId>(i), text(i));
    if (!command) continue;
    for (const SlurmSite& site : model.slurm_sites) {
      const SlurmSetting* plugin = v2_plugin(site);
      if (plugin == nullptr || !uses_cgroups(site) || !is_below(site.folder, inputs.files[i].context.folder)) continue;
      findings.push_back(problem("slurm-cgroup-without-systemd", plugin->where,
                                 "cgroup/v2 asks systemd for a scope, and slurmd is alone in its container"));
      findings.back().related.push_back({*command, "started here"});
    }
    return;  // of several compose files one is looked at
  }
}

}  // namespace muster
