#include "pipeline/role_variables.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "kinds/language.h"
#include "pipeline/input_names.h"
#include "syntax/cut_text.h"

namespace muster {
namespace {

constexpr std::size_t kMostNamed = 8;         // in one message
constexpr std::size_t kMostVariables = 2000;  // of one role
constexpr std::size_t kLeastLetters = 10;     // of names that are compared
constexpr std::uint64_t kMostCompared = 2'000'000;
constexpr std::uint64_t kMostRead = 200'000'000;  // letters, for all roles together

struct RoleVariable {
  std::string_view name;
  Span where;
};

struct Role {
  std::vector<FileId> files;
  std::vector<RoleVariable> defaults;
  std::set<std::string_view> set;  ///< by its defaults and vars
};

/// The folder of the role that a file of defaults or vars is of.
std::optional<std::string_view> role_of(std::string_view path, std::string_view part) {
  const std::string_view folder = folder_of(path);
  if (folder == part) return std::string_view{};
  if (!folder.ends_with(part) || folder.size() <= part.size() || folder[folder.size() - part.size() - 1] != '/')
    return std::nullopt;
  return folder.substr(0, folder.size() - part.size() - 1);
}

/// `name:` at the beginning of lines.
std::vector<RoleVariable> keys_at_top(std::string_view text, FileId file) {
  std::vector<RoleVariable> out;
  for (const TextLine& line : lines_of(text)) {
    std::size_t end = 0;
    while (end < line.text.size() && is_word_char(line.text[end])) ++end;
    if (end == 0 || !line.text.substr(end).starts_with(':') || is_digit(line.text[0])) continue;
    out.push_back({line.text.substr(0, end), {file, line.begin, line.begin + static_cast<std::uint32_t>(end)}});
  }
  return out;
}

/// The first word of a name with its `_`.
std::string_view prefix_of(std::string_view name) {
  const std::size_t end = name.find('_');
  return end == name.npos ? std::string_view{} : name.substr(0, end + 1);
}

std::string_view common_prefix(const Role& role) {
  std::map<std::string_view, std::size_t> counts;
  for (const RoleVariable& one : role.defaults) ++counts[prefix_of(one.name)];
  const auto most = std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
  return most == counts.end() || most->second * 2 < role.defaults.size() ? std::string_view{} : most->first;
}

/// `lookup('vars', 'slurm_' ~ name)`, `vars['slurm_' + x]`.
bool puts_names_together(std::string_view text) {
  for (const std::string_view sign : {"lookup('vars'", "lookup(\"vars\"", "query('vars'", "q('vars'", "varnames",
                                      "builtin.vars", "_' ~", "_' +", "_\" ~", "_\" +"}) {
    if (contains(text, sign)) return true;
  }
  for (std::size_t at = text.find("vars["); at != text.npos; at = text.find("vars[", at + 1)) {
    if (at == 0 || !is_word_char(text[at - 1])) return true;  // not hostvars
  }
  return false;
}

/// Two neighbours that changed places.
bool is_swapped(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  const auto [first, other] = std::ranges::mismatch(a, b);
  const auto at = static_cast<std::size_t>(first - a.begin());
  return at + 1 < a.size() && a[at] == b[at + 1] && a[at + 1] == b[at] && a.substr(at + 2) == b.substr(at + 2);
}

/// Within `{{ }}` or `{% %}`, or in a condition: names of files, tags and handlers stand elsewhere.
bool is_expression(std::string_view text, std::size_t at) {
  constexpr std::size_t kMostBefore = 500;
  std::string_view before = text.substr(at - std::min(at, kMostBefore), std::min(at, kMostBefore));
  before = before.substr(before.rfind('\n') + 1);  // npos + 1 is 0
  for (const auto& [open, close] : {std::pair<std::string_view, std::string_view>{"{{", "}}"}, {"{%", "%}"}}) {
    const std::size_t begin = before.rfind(open);
    if (begin != before.npos && before.find(close, begin) == before.npos) return true;
  }
  const std::string_view line = trim(before);
  return line.starts_with("when:") || line.starts_with("until:") || line.starts_with("failed_when:") ||
         line.starts_with("changed_when:");
}

class RoleVariables {
 public:
  RoleVariables(const Inputs& inputs, std::vector<Finding>& findings) : inputs_(inputs), findings_(findings) {}

  void run() {
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const std::string_view path = inputs_.files[i].context.path;
      if (inputs_.files[i].named || !is_yaml_file(path)) continue;
      if (const auto role = role_of(path, "defaults")) roles_[*role].files.push_back(static_cast<FileId>(i));
    }
    for (auto& [folder, role] : roles_) {
      if (looked_ <= kMostRead && is_asked(folder, role)) judge(folder, role);
    }
  }

 private:
  std::string_view text(FileId file) const { return inputs_.sources.file(file).text(); }

  /// It has tasks, speaks of Slurm or GPUs, and all of it is read.
  bool is_asked(std::string_view folder, Role& role) {
    bool tasks = false;
    bool about = false;
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const std::string_view path = inputs_.files[i].context.path;
      if (!is_below(path, folder)) continue;
      const std::string_view all = text(static_cast<FileId>(i));
      looked_ += all.size();
      tasks = tasks || role_of(path, "tasks") == folder;
      about = about || contains(all, "slurm") || contains(all, "nvidia");
    }
    if (!tasks || !about || !inputs_.too_large.empty()) return false;
    for (const FileId file : role.files) {
      const std::vector<RoleVariable> keys = keys_at_top(text(file), file);
      role.defaults.insert(role.defaults.end(), keys.begin(), keys.end());
    }
    return !role.defaults.empty() && role.defaults.size() <= kMostVariables;
  }

  /// Words of all files that are no prose, beside those that a line of the role's own defaults and vars begins with.
  bool note_words(std::string_view folder, Role& role, std::map<std::string_view, Span>& reads) {
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const auto file = static_cast<FileId>(i);
      const std::string_view path = inputs_.files[i].context.path;
      if (language_of(path) == Language::Prose || path.ends_with(".rst") || path.ends_with(".txt")) continue;
      const std::string_view all = text(file);
      if ((looked_ += all.size()) > kMostRead || puts_names_together(all)) return false;
      const bool sets = role_of(path, "defaults") == folder || role_of(path, "vars") == folder;
      if (sets) {
        for (const RoleVariable& one : keys_at_top(all, file)) role.set.insert(one.name);
      }
      for (std::size_t at = 0; at < all.size();) {
        if (!is_word_char(all[at])) {
          ++at;
          continue;
        }
        const std::size_t begin = at;
        while (at < all.size() && is_word_char(all[at])) ++at;
        const bool key = sets && at < all.size() && all[at] == ':' && (begin == 0 || all[begin - 1] == '\n');
        const std::string_view word = all.substr(begin, at - begin);
        if (!key && word.starts_with(prefix_) && is_expression(all, begin))
          asked_.try_emplace(word, Span{file, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at)});
        if (!key && word.starts_with(prefix_))
          reads.try_emplace(word, Span{file, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at)});
      }
    }
    return true;
  }

  void judge(std::string_view folder, Role& role) {
    prefix_ = common_prefix(role);
    if (prefix_.empty()) return;
    std::map<std::string_view, Span> reads;
    asked_.clear();
    if (!note_words(folder, role, reads) || looked_ > kMostRead) return;
    std::vector<std::string_view> spare;  // set, and read by nothing
    for (const std::string_view name : role.set) {
      if (name.starts_with(prefix_) && !reads.contains(name)) spare.push_back(name);
    }
    std::set<std::string_view> meant;
    for (const auto& [word, where] : asked_) {
      const std::string_view near = misspelt(folder, role, word, where, spare);
      if (near.empty() || !meant.insert(near).second) continue;
      findings_.push_back(problem("role-variable-misspelt", where,
                                  "nothing sets `" + std::string(word) + "`; the role has `" + std::string(near) +
                                      (reads.contains(near) ? "`" : "`, which nothing reads")));
    }
    unread(role, reads, meant);
  }

  void unread(const Role& role, const std::map<std::string_view, Span>& reads,
              const std::set<std::string_view>& meant) {
    std::vector<std::string> names;
    Span first;
    std::size_t more = 0;
    for (const RoleVariable& one : role.defaults) {
      if (!one.name.starts_with(prefix_) || reads.contains(one.name) || meant.contains(one.name)) continue;
      if (names.empty()) first = one.where;
      if (names.size() < kMostNamed)
        names.push_back("`" + std::string(one.name) + "`");
      else
        ++more;
    }
    if (names.empty()) return;
    findings_.push_back(problem("role-variable-unread", first,
                                "nothing of the input reads " + join(names, ", ") +
                                    (more > 0 ? " and " + std::to_string(more) + " more defaults" : "")));
  }

  /// What a word of the role's tasks and templates was to be; empty where it is set somewhere, or like none.
  std::string_view misspelt(std::string_view folder, const Role& role, std::string_view word, const Span& where,
                            const std::vector<std::string_view>& spare) {
    if (word.size() < kLeastLetters || role.set.contains(word)) return {};
    const std::string_view path = inputs_.files[static_cast<std::size_t>(where.file)].context.path;
    if (!is_below(path, folder) || is_set_somewhere(word)) return {};
    for (const std::string_view name : role.set) {
      if (++compared_ > kMostCompared) return {};
      if (is_swapped(word, name)) return name;
    }
    for (const std::string_view name : spare) {
      if (++compared_ > kMostCompared) return {};
      if (name.size() >= kLeastLetters && edit_distance(word, name, 2) <= 2) return name;
    }
    return {};
  }

  /// `word:` as a key, `register: word`, `word=`, `set word`: only where it stands otherwise everywhere nothing sets
  /// it.
  bool is_set_somewhere(std::string_view word) {
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const std::string_view all = text(static_cast<FileId>(i));
      if ((looked_ += all.size()) > kMostRead) return true;
      for (std::size_t at = all.find(word); at != all.npos; at = all.find(word, at + word.size())) {
        const std::size_t end = at + word.size();
        if ((at > 0 && is_word_char(all[at - 1])) || (end < all.size() && is_word_char(all[end]))) continue;
        const std::string_view behind = trim(all.substr(end, 4));
        const std::string_view before =
            trim(all.substr(at - std::min<std::size_t>(at, 24), std::min<std::size_t>(at, 24)));
        const bool assigned = behind.starts_with(':') || (behind.starts_with('=') && !behind.starts_with("=="));
        if (assigned || before.ends_with("register:") || before.ends_with("set") || before.ends_with("for") ||
            before.ends_with("_var:") || before.ends_with("name:") || before.ends_with(","))
          return true;
      }
    }
    return false;
  }

  const Inputs& inputs_;
  std::vector<Finding>& findings_;
  std::map<std::string_view, Role> roles_;
  std::string_view prefix_;                 ///< of the role under way
  std::map<std::string_view, Span> asked_;  ///< words of that role's prefix where Jinja evaluates them
  std::uint64_t compared_ = 0;
  std::uint64_t looked_ = 0;  ///< letters
};

}  // namespace

void find_role_variables(const Inputs& inputs, std::vector<Finding>& findings) {
  RoleVariables(inputs, findings).run();
}

}  // namespace muster
