#include "pipeline/playbook_restarts.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "pipeline/input_names.h"
#include "pipeline/playbook_modules.h"
#include "pipeline/playbook_parameters.h"

namespace muster {
namespace {

class PlaybookRestarts {
 public:
  PlaybookRestarts(const Inputs& inputs, const PlaybookTexts& texts, std::vector<Finding>& findings)
      : inputs_(inputs), texts_(texts), findings_(findings) {}

  void deployed() const {
    // Whatever may make a daemon read its file again, of whichever daemon it is.
    constexpr std::array<std::string_view, 9> kAgain{"restart", "reload",  "reconfig",    "reboot", "stopped",
                                                     "notify:", "listen:", "import_role", "HUP"};
    bool starts = false;
    bool again = false;
    for (const PlaybookText& text : texts_.all) {
      const std::string_view all = inputs_.sources.file(text.file).text();
      again =
          again || std::ranges::any_of(kAgain, [&](std::string_view one) { return contains_ignoring_case(all, one); });
      starts = starts || (contains(all, "started") && contains(all, "slurm"));
    }
    if (!starts) return;
    if (again) return not_notified();
    each([&](const Node& task, const PlaybookModule& module, const Node& value) {
      const std::optional<Deployed> conf = deployed_conf(task, module, value);
      if (!conf) return;
      findings_.push_back(problem("playbook-conf-never-read-again", conf->where,
                                  "a change of `" + std::string(conf->file) +
                                      "` is deployed, and no task or handler tells a daemon to read it"));
    });
  }

  void key() const {
    constexpr std::array<std::string_view, 5> kInstall{"apt", "dnf", "dnf5", "package", "yum"};
    std::optional<Span> where;
    each([&](const Node& task, const PlaybookModule& module, const Node& value) {
      const bool removes = std::ranges::any_of(parameters_of(value), [](const TaskParameter& one) {
        return one.name == "state" && (one.value == "absent" || one.value == "removed");
      });
      if (!where && !removes && std::ranges::find(kInstall, module.name) != kInstall.end()) where = item(task, "munge");
    });
    if (!where || is_of_another_key()) return;
    findings_.push_back(problem("playbook-munge-without-key", *where,
                                "munge is installed, and nothing in the input speaks of its key"));
  }

 private:
  struct Deployed {
    Span where;
    std::string_view file;
    std::string_view dest;
  };

  /// The file of Slurm's that a task puts into its place; what it registers others may ask for.
  static std::optional<Deployed> deployed_conf(const Node& task, const PlaybookModule& module, const Node& value) {
    if ((module.name != "template" && module.name != "copy") || task["register"].exists()) return std::nullopt;
    const std::vector<TaskParameter> all = parameters_of(value);
    const auto dest = std::ranges::find(all, "dest", &TaskParameter::name);
    const auto src = std::ranges::find(all, "src", &TaskParameter::name);
    if (dest == all.end() || !contains(dest->value, "/")) return std::nullopt;
    if (is_read_by_slurm(last_part(dest->value)))
      return Deployed{dest->value_where, last_part(dest->value), dest->value};
    // Into a folder.
    const bool folder = !contains(last_part(dest->value), ".");
    if (!folder || src == all.end() || !is_read_by_slurm(last_part(src->value))) return std::nullopt;
    return Deployed{dest->value_where, last_part(src->value), dest->value};
  }

  static bool is_read_by_slurm(std::string_view file) {
    constexpr std::array<std::string_view, 5> kFiles{"cgroup.conf", "gres.conf", "slurm.conf", "slurmdbd.conf",
                                                     "topology.conf"};
    return std::ranges::find(kFiles, file) != kFiles.end();
  }

  /// Tasks that do not notify the handler of their own role that would restart the daemons, where handlers alone do so.
  void not_notified() const {
    std::set<std::string_view> roles;  // with such a handler
    for (const PlaybookText& text : texts_.all) {
      bool elsewhere = false;
      each_task_of(
          text,
          [&](const Node& task) {
            elsewhere = elsewhere || hands_on_notify(task);
            if (!makes_read(task)) return;
            if (text.part == PlaybookText::Part::Handlers && !task["when"].exists()) roles.insert(text.role);
            elsewhere = elsewhere || text.part != PlaybookText::Part::Handlers;
          },
          [&](const Node& block) { elsewhere = elsewhere || block["notify"].exists(); });
      const std::string_view all = inputs_.sources.file(text.file).text();
      if (elsewhere || contains(all, "apply:")) return;
    }
    for (const PlaybookText& text : texts_.all) {
      if (text.part != PlaybookText::Part::Tasks || !roles.contains(text.role) || is_of_clients(text)) continue;
      each_of(text, [&](const Node& task, const PlaybookModule& module, const Node& value) {
        const std::optional<Deployed> conf = deployed_conf(task, module, value);
        if (!conf || task["notify"].exists() || !is_read_there(conf->dest) || says_some_of(task["when"], kClients))
          return;
        findings_.push_back(problem("playbook-conf-never-read-again", conf->where,
                                    "a change of `" + std::string(conf->file) +
                                        "` is deployed, and this task notifies none of the handlers of its role"));
      });
    }
  }

  static constexpr std::array<std::string_view, 4> kClients{"client", "install", "login", "submit"};

  /// Hosts that run no daemon.
  bool is_of_clients(const PlaybookText& text) const {
    const std::string_view path = last_part(inputs_.files[static_cast<std::size_t>(text.file)].context.path);
    return std::ranges::any_of(kClients, [&](std::string_view one) { return contains_ignoring_case(path, one); });
  }

  /// Where a daemon looks; an image for other machines or a copy on the way is another place.
  static bool is_read_there(std::string_view dest) {
    constexpr std::array<std::string_view, 4> kPlaces{"/etc/slurm", "/usr/local/etc", "/opt/slurm", "{{"};
    constexpr std::array<std::string_view, 6> kOthers{"build", "chroot", "image", "rootfs", "stag", "tmp"};
    return std::ranges::any_of(kPlaces, [&](std::string_view one) { return dest.starts_with(one); }) &&
           std::ranges::none_of(kOthers, [&](std::string_view one) { return contains_ignoring_case(dest, one); });
  }

  static bool says_some_of(const Node& node, std::span<const std::string_view> words) {
    if (node.is_scalar())
      return std::ranges::any_of(words, [&](std::string_view word) { return contains(node.text(), word); });
    for (std::size_t i = 0; i < node.size(); ++i) {
      if (says_some_of(node.is_mapping() ? node.value(i) : node.item(i), words)) return true;
    }
    return false;
  }

  /// What is imported takes the keywords of the task that imports it.
  static bool hands_on_notify(const Node& task) {
    if (!task["notify"].exists()) return false;
    for (std::size_t i = 0; i < task.size(); ++i) {
      if (contains(task.key(i).text(), "import_")) return true;
    }
    return false;
  }

  /// Whether a task makes a daemon of Slurm read its files, whichever module it does so with.
  static bool makes_read(const Node& task) {
    constexpr std::array<std::string_view, 6> kAgain{"restart", "reload", "reconfig", "HUP", "stopped", "reboot"};
    for (std::size_t i = 0; i < task.size(); ++i) {
      const std::string_view key = task.key(i).text();
      if (playbook_module(key) == nullptr && std::ranges::binary_search(task_keywords(), key)) continue;
      std::string all(task.value(i).text());
      for (const TaskParameter& one : parameters_of(task.value(i))) all += " " + std::string(one.value);
      // A name that the run puts in may be any.
      const bool slurm = contains(all, "slurm") || contains(all, "scontrol") || contains(all, "{{") || all.empty();
      if (slurm && std::ranges::any_of(kAgain, [&](std::string_view word) { return contains(all, word); })) return true;
    }
    return false;
  }

  /// A key that lies beside, another way to authenticate, one machine.
  bool is_of_another_key() const {
    if (brings_folder()) return true;
    constexpr std::array<std::string_view, 11> kOther{"munge.key", "munge_key",         "mungekey",   "munge-key",
                                                      "MUNGE_KEY", "MungeKey",          "auth/slurm", "auth/none",
                                                      "localhost", "connection: local", "galaxy"};
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const std::string_view text = inputs_.sources.file(static_cast<FileId>(i)).text();
      if (std::ranges::any_of(kOther, [&](std::string_view one) { return find_part(text, one) != text.npos; }))
        return true;
      if (last_part(inputs_.files[i].context.path).starts_with("slurm.conf") && is_of_one_machine(text)) return true;
    }
    return false;
  }

  /// Whether some task but one that makes folders and sets their owner has /etc/munge: the key comes with it.
  bool brings_folder() const {
    constexpr std::array<std::string_view, 6> kNone{
        "command", "ansible.builtin.command", "file", "ansible.builtin.file", "shell", "ansible.builtin.shell"};
    bool out = false;
    for (const PlaybookText& text : texts_.all) {
      each_task_of(
          text,
          [&](const Node& task) {
            const bool none =
                std::ranges::any_of(kNone, [&](std::string_view module) { return task[module].exists(); });
            out = out || (!none && (item(task, "/etc/munge") || item(task, "/etc/munge/")));
          },
          [](const Node&) {});
    }
    return out;
  }

  /// A slurm.conf whose one node is its controller.
  static bool is_of_one_machine(std::string_view conf) {
    std::string_view controller;
    std::string_view node;
    for (const std::string_view line : split(conf, '\n')) {
      const std::string_view words = trim(line);
      const bool is_node = words.starts_with("NodeName=");
      if (!is_node && !words.starts_with("SlurmctldHost=")) continue;
      std::string_view& name = is_node ? node : controller;
      const std::string_view value = words.substr(words.find('=') + 1);
      if (!name.empty() || value.starts_with("DEFAULT")) return false;
      name = trim(value.substr(0, contains(value, "{{") ? value.find("}}") : value.find_first_of(" (#")));
    }
    return !node.empty() && node == controller;
  }

  template <class Take>
  void each(const Take& take) const {
    for (const PlaybookText& text : texts_.all) each_of(text, take);
  }

  template <class Take>
  static void each_of(const PlaybookText& text, const Take& take) {
    each_task_of(
        text,
        [&](const Node& task) {
          for (std::size_t i = 0; i < task.size(); ++i) {
            const PlaybookModule* module = playbook_module(task.key(i).text());
            if (module != nullptr) return take(task, *module, task.value(i));
          }
        },
        [](const Node&) {});
  }

  /// The place of a scalar that is the word.
  static std::optional<Span> item(const Node& node, std::string_view word) {
    if (node.is_scalar()) return node.text() == word ? std::optional(node.where()) : std::nullopt;
    for (std::size_t i = 0; i < node.size(); ++i) {
      if (const auto found = item(node.is_mapping() ? node.value(i) : node.item(i), word)) return found;
    }
    return std::nullopt;
  }

  const Inputs& inputs_;
  const PlaybookTexts& texts_;
  std::vector<Finding>& findings_;
};

}  // namespace

void check_playbook_restarts(const Inputs& inputs, const PlaybookTexts& texts, std::vector<Finding>& findings) {
  if (!texts.whole || texts.all.empty()) return;
  const PlaybookRestarts restarts(inputs, texts, findings);
  restarts.deployed();
  restarts.key();
}

}  // namespace muster
