#include "pipeline/playbook_users.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "base/strings.h"

namespace muster {
namespace {

/// A task that makes somebody, with the number that it gives.
struct MadeNumber {
  std::string number;
  Span where;
  std::string_view role;
};

class PlaybookUsers {
 public:
  explicit PlaybookUsers(std::vector<Finding>& findings) : findings_(findings) {}

  void take(const PlaybookText& text, const Node& task) {
    // One of several that a condition chooses from.
    const std::string_view when = task["when"].text();
    const bool chosen = contains(when, "ansible_") || contains(when, "distribution") || task["when"].is_sequence();
    if (chosen || task["loop"].exists() || task["with_items"].exists()) return;
    for (const char* module : {"user", "ansible.builtin.user"}) number(text, task[module], "user", "uid");
    for (const char* module : {"group", "ansible.builtin.group"}) number(text, task[module], "group", "gid");
  }

 private:
  void number(const PlaybookText& text, const Node& action, const char* what, const char* key) {
    if (!action.is_mapping() || action["state"].text() == "absent") return;
    const std::string_view name = action["name"].text();
    const std::string_view value = action[key].text();
    if ((name != "slurm" && name != "munge") || value.empty() || !std::ranges::all_of(value, is_digit)) return;
    const std::string who = std::string(what) + " `" + std::string(name) + "`";
    const auto [first, fresh] = made_.try_emplace(who, MadeNumber{std::string(value), action[key].where(), text.role});
    const MadeNumber& other = first->second;
    if (fresh || other.number == value || other.role == text.role || !said_.emplace(who, true).second) return;
    findings_.push_back(problem("playbook-user-number-differs", action[key].where(),
                                who + " has " + key + " " + std::string(value) + " here, and " + other.number +
                                    " in role " + std::string(last_of(other.role))));
    findings_.back().related.push_back({other.where, "the other one"});
  }

  static std::string_view last_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }  // npos + 1 is 0

  std::vector<Finding>& findings_;
  std::map<std::string, MadeNumber> made_;
  std::map<std::string, bool> said_;
};

}  // namespace

void check_playbook_users(const PlaybookTexts& texts, std::vector<Finding>& findings) {
  PlaybookUsers users(findings);
  for (const PlaybookText& text : texts.all) {
    if (text.part != PlaybookText::Part::Tasks || text.role.empty()) continue;
    each_task_of(text, [&](const Node& task) { users.take(text, task); }, [](const Node&) {});
  }
}

}  // namespace muster
