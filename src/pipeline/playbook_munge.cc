#include "pipeline/playbook_munge.h"

#include <string_view>

#include "base/strings.h"
#include "pipeline/playbook_modules.h"
#include "pipeline/playbook_parameters.h"

namespace muster {
namespace {

bool any_text(const Node& node, const auto& holds) {
  if (node.is_scalar()) return holds(node.text());
  for (std::size_t i = 0; i < node.size(); ++i) {
    if (any_text(node.is_mapping() ? node.value(i) : node.item(i), holds)) return true;
  }
  return false;
}

bool names_munge(std::string_view text) { return contains(text, "munge"); }

/// The name of the module that a task has, without its collection, and where it stands; empty: not known.
std::string_view module_of(const Node& task, Node& value) {
  for (std::size_t i = 0; i < task.size(); ++i) {
    const PlaybookModule* module = playbook_module(task.key(i).text());
    if (module == nullptr) continue;
    value = task.value(i);
    return module->name;
  }
  return {};
}

/// What starts munged anew, or begins with it stopped.
bool restarts(const Node& task) {
  Node value;
  const std::string_view module = module_of(task, value);
  if (module == "reboot") return true;
  const bool about = any_text(task, names_munge);
  if (module == "service" || module == "systemd" || module == "systemd_service") {
    std::string_view name;
    std::string_view state;
    for (const TaskParameter& one : parameters_of(value)) {
      if (one.name == "name") name = one.value;
      if (one.name == "state") state = one.value;
    }
    const bool anew = state == "restarted" || state == "reloaded" || state == "stopped" || contains(state, "{{");
    return anew && (about || (contains(name, "{{") && !contains(name, "slurm")));
  }
  return about && any_text(task, [](std::string_view text) {
           return contains(text, "restart") || contains(text, "Restart") || contains(text, "systemctl stop") ||
                  contains(text, "force-reload") || contains(text, "pkill");
         });
}

/// Whether a task puts the key where munged reads it, and the place of that path.
bool copies_key(const Node& task, Span& where) {
  Node value;
  const std::string_view module = module_of(task, value);
  if (module != "copy" && module != "template") return false;
  for (const TaskParameter& one : parameters_of(value)) {
    if (one.name != "dest" || !one.value.ends_with("/etc/munge/munge.key")) continue;
    where = one.value_where;
    return true;
  }
  return false;
}

}  // namespace

void check_playbook_munge(const PlaybookTexts& texts, std::vector<Finding>& findings) {
  if (!texts.whole) return;
  std::vector<Span> unread;
  for (const PlaybookText& text : texts.all) {
    if (text.part == PlaybookText::Part::Handlers) continue;
    bool installed = false;
    bool restarted = false;
    bool copied = false;
    bool block_notifies = false;  // its tasks do, then
    std::vector<Span> found;
    const auto take = [&](const Node& task) {
      Node value;
      Span where;
      restarted = restarted || restarts(task);
      installed = installed || (module_of(task, value) == "apt" && any_text(task, names_munge));
      if (!copies_key(task, where)) return;
      copied = true;
      if (installed && !block_notifies && !task["notify"].exists()) found.push_back(where);
    };
    each_task_of(text, take, [&](const Node& block) { block_notifies = block_notifies || block["notify"].exists(); });
    if (restarted && !copied) return;  // for keys of other files, it may be
    if (!restarted) unread.insert(unread.end(), found.begin(), found.end());
  }
  for (const Span& where : unread)
    findings.push_back(problem("playbook-munge-key-unread", where,
                               "munged runs since it was installed, with a key of its own, and nothing restarts it"));
}

}  // namespace muster
