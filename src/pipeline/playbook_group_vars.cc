#include "pipeline/playbook_group_vars.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "kinds/language.h"
#include "pipeline/input_names.h"

namespace muster {
namespace {

constexpr std::array<std::string_view, 2> kFolders{"group_vars/", "host_vars/"};

/// The folder that holds group_vars, and `group_vars/x.yml` behind it; nothing: the path is another. The former may be
/// empty, the top.
bool split_at_variables(std::string_view path, std::string_view& holder, std::string_view& kind) {
  for (const std::string_view folder : kFolders) {
    const std::size_t at = path.rfind(folder);
    if (at == path.npos || (at > 0 && path[at - 1] != '/')) continue;
    holder = path.substr(0, at == 0 ? 0 : at - 1);
    kind = folder.substr(0, folder.size() - 1);
    return true;
  }
  return false;
}

/// An inventory as Ansible's own sample calls it, `production`, by its first letters.
bool begins_as_inventory(std::string_view path, std::string_view text) {
  if (contains(last_part(path), ".") && !is_yaml_file(path)) return false;
  const std::string_view head = text.substr(0, 2000);
  return is_yaml_file(path) ? head.starts_with("all:") || contains(head, "\nall:")
                            : head.starts_with('[') || contains(head, "\n[");
}

/// What may be an inventory by its name: `hosts`, `production.ini.example`, `inventory.yml`, `lab.aws_ec2.yml`.
bool may_be_inventory(std::string_view path) {
  const std::string name = to_lower(last_part(path));
  constexpr std::array<std::string_view, 8> kWords{"hosts",   "inventor",    ".ini",     ".inv",
                                                   "aws_ec2", "gcp_compute", "azure_rm", "openstack"};
  for (const std::string_view folder : {"roles/", "templates/", "files/", "tasks/", "playbooks/"}) {
    if (contains(path, folder)) return false;
  }
  if (name.ends_with(".j2") || name == "ansible.cfg" || name.starts_with("tox.ini") || name.starts_with("pytest.ini"))
    return false;
  return std::ranges::any_of(kWords, [&](std::string_view word) { return contains(name, word); });
}

class GroupVars {
 public:
  GroupVars(const Inputs& inputs, const PlaybookTexts& texts, std::vector<Finding>& findings)
      : inputs_(inputs), findings_(findings) {
    for (const PlaybookText& text : texts.all) {
      if (text.part == PlaybookText::Part::Plays)
        playbooks_.insert(std::string(folder_of(inputs.files[static_cast<std::size_t>(text.file)].context.path)));
    }
  }

  void run() {
    std::map<std::string, std::size_t> holders;  // the first file of each
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      std::string_view holder;
      std::string_view kind;
      const std::string_view path = inputs_.files[i].context.path;
      if (split_at_variables(path, holder, kind)) {
        if (is_yaml_file(path) || path.ends_with(".json")) holders.try_emplace(std::string(holder), i);
      } else {
        note_inventory(path);
        const std::string_view text = inputs_.sources.file(static_cast<FileId>(i)).text();
        if (begins_as_inventory(path, text)) inventories_.insert(std::string(folder_of(path)));
        if (is_yaml_file(path) && contains(text.substr(0, 20'000), "import_playbook:"))
          playbooks_.insert(std::string(folder_of(path)));
      }
    }
    for (const std::string& path : inputs_.foreign) note_inventory(path);
    if (playbooks_.empty() || inventories_.empty() || holders.empty() || is_named()) return;
    for (const auto& [holder, file] : holders) {
      const std::string& folder = holder;  // clang 14 captures no binding
      const bool below = std::ranges::any_of(playbooks_, [&](const std::string& one) { return is_below(one, folder); });
      if (playbooks_.contains(holder) || inventories_.contains(holder) || contains(to_lower(holder), "inventor") ||
          !below)
        continue;
      const std::string_view text = inputs_.sources.file(static_cast<FileId>(file)).text();
      const auto end = static_cast<std::uint32_t>(std::min(text.find('\n'), text.size()));
      findings_.push_back(problem("playbook-group-vars-unread", {static_cast<FileId>(file), 0, end},
                                  "this lies beside neither a playbook nor an inventory: no play reads it"));
    }
  }

 private:
  void note_inventory(std::string_view path) {
    if (may_be_inventory(path)) inventories_.insert(std::string(folder_of(path)));
  }

  /// Whether somebody reads such files by their path.
  bool is_named() const {
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      if (language_of(inputs_.files[i].context.path) == Language::Prose) continue;
      const std::string_view text = inputs_.sources.file(static_cast<FileId>(i)).text();
      for (const std::string_view folder : kFolders) {
        const bool named = contains(text, folder) && some_line_with(text, folder, [](std::string_view line) {
                             const std::size_t comment = line.find('#');
                             return line.find("_vars/") < comment;
                           });
        if (named) return true;
      }
    }
    return false;
  }

  const Inputs& inputs_;
  std::vector<Finding>& findings_;
  std::set<std::string> playbooks_;    ///< folders of files with plays
  std::set<std::string> inventories_;  ///< folders of files that may be inventories
};

}  // namespace

void find_unread_group_vars(const Inputs& inputs, const PlaybookTexts& texts, std::vector<Finding>& findings) {
  if (!texts.all.empty()) GroupVars(inputs, texts, findings).run();
}

}  // namespace muster
