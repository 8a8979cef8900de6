#include "pipeline/playbook_users.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
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

  /// Roles that plays or tasks take under a condition of their own.
  void note_chosen(const PlaybookText& text) {
    for (const Document& document : text.documents) {
      const Node root = document.root();
      for (std::size_t i = 0; text.part == PlaybookText::Part::Plays && i < root.size(); ++i) {
        const Node roles = root.item(i)["roles"];
        for (std::size_t r = 0; roles.is_sequence() && r < roles.size(); ++r) {
          const Node role = roles.item(r);
          if (!role.is_mapping() || !role["when"].exists()) continue;
          for (const char* key : {"role", "name"}) chosen_.emplace(role[key].text());
        }
      }
    }
    const auto take = [&](const Node& task) {
      for (const char* module :
           {"include_role", "import_role", "ansible.builtin.include_role", "ansible.builtin.import_role"}) {
        if (task["when"].exists() && task[module].is_mapping()) chosen_.emplace(task[module]["name"].text());
      }
    };
    each_task_of(text, take, [](const Node&) {});
  }

  /// Looks at a list of tasks; those of a block that a condition chooses are left out.
  void take_list(const PlaybookText& text, const Node& list, int depth = 0) {
    constexpr int kMostBlocks = 20;
    if (!list.is_sequence() || depth > kMostBlocks || chosen_.contains(last_of(text.role))) return;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Node task = list.item(i);
      if (!task.is_mapping() || is_chosen(task)) continue;
      if (!task["block"].exists()) {
        take(text, task);
        continue;
      }
      for (const char* part : {"block", "rescue", "always"}) take_list(text, task[part], depth + 1);
    }
  }

 private:
  /// One of several that a condition chooses from.
  static bool is_chosen(const Node& task) {
    const std::string_view when = task["when"].text();
    return contains(when, "ansible_") || contains(when, "distribution") || task["when"].is_sequence();
  }

  void take(const PlaybookText& text, const Node& task) {
    if (task["loop"].exists() || task["with_items"].exists()) return;
    for (const char* module : {"user", "ansible.builtin.user"}) number(text, task[module], "user", "uid");
    for (const char* module : {"group", "ansible.builtin.group"}) number(text, task[module], "group", "gid");
  }

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
  std::set<std::string, std::less<>> chosen_;
};

}  // namespace

void check_playbook_users(const PlaybookTexts& texts, std::vector<Finding>& findings) {
  PlaybookUsers users(findings);
  for (const PlaybookText& text : texts.all) users.note_chosen(text);
  for (const PlaybookText& text : texts.all) {
    if (text.part != PlaybookText::Part::Tasks || text.role.empty()) continue;
    for (const Document& document : text.documents) users.take_list(text, document.root());
  }
}

}  // namespace muster
