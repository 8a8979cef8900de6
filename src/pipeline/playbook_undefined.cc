#include "pipeline/playbook_undefined.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "pipeline/input_names.h"
#include "syntax/cut_text.h"

namespace muster {
namespace {

constexpr std::size_t kMostSetVariables = 3000;
constexpr std::size_t kMostAsked = 3000;  // names that are compared
constexpr std::size_t kMostTested = 100;  // that are looked for once more
constexpr std::size_t kMostUndefined = 10;
constexpr std::size_t kLeastOfUndefined = 8;  // of names that are compared
constexpr std::uint64_t kMostPlaybookText = 20'000'000;

struct UndefinedRead {
  std::string_view name;
  Span where;
};

bool sets_variables(std::string_view path) {
  return contains(path, "group_vars/") || contains(path, "host_vars/") || contains(path, "/vars/") ||
         contains(path, "/defaults/") || path.starts_with("vars/");
}

/// Files of Ansible that may read variables.
bool may_read_variables(std::string_view path) {
  return path.ends_with(".j2") || (is_yaml_file(path) && !contains(path, "/molecule/") && !contains(path, "/tests/"));
}

/// `slurmdbd` and `slurmdb`: a letter more, less or another, in words that are long enough for that.
bool is_word_slip(std::string_view a, std::string_view b) {
  constexpr std::size_t kLeastWord = 5;
  const std::size_t longest = std::max(a.size(), b.size());
  const std::size_t shortest = std::min(a.size(), b.size());
  if (shortest < kLeastWord || longest - shortest > 1) return false;
  std::size_t head = 0;
  while (head < shortest && a[head] == b[head]) ++head;
  std::size_t tail = 0;
  while (tail < shortest - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
  return head + tail + 1 >= longest;
}

/// Whether one word of the names differs, and by a slip: `slurmctld_port` is not `slurmctld_host`.
bool is_variable_slip(std::string_view a, std::string_view b) {
  const std::vector<std::string_view> first = split(a, '_');
  const std::vector<std::string_view> second = split(b, '_');
  if (first.size() != second.size()) return false;
  std::size_t slips = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (first[i] == second[i]) continue;
    if (!is_word_slip(first[i], second[i])) return false;
    ++slips;
  }
  return slips == 1;
}

/// Of a role what stands below `roles/`, else the name of the file.
std::string_view own_part(std::string_view path) {
  const std::size_t roles = path.rfind("roles/");
  return roles == path.npos ? last_part(path) : path.substr(roles + 6);
}

class UndefinedVariables {
 public:
  UndefinedVariables(const Inputs& inputs, std::vector<Finding>& findings) : inputs_(inputs), findings_(findings) {}

  void run() {
    std::uint64_t letters = 0;
    bool about = false;
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const std::string_view path = inputs_.files[i].context.path;
      letters += text(i).size();
      if (sets_variables(path) && is_yaml_file(path)) note_set(i);
      about = about || (path.ends_with(".j2") && (contains(path, "slurm") || contains(text(i), "Slurm")));
    }
    if (!about || set_.empty() || set_.size() > kMostSetVariables || letters > kMostPlaybookText) return;
    note_words();
    for (const auto& [name, where] : set_) {
      const auto found = words_.find(name);
      if (found != words_.end() && found->second.read == 0) unread_.push_back(name);
    }
    if (unread_.empty()) return;
    for (std::size_t i = 0; i < inputs_.files.size() && said_.size() < kMostUndefined; ++i) {
      if (may_read_variables(inputs_.files[i].context.path)) judge(i);
    }
  }

 private:
  /// How a word stands in the texts of the input.
  struct Uses {
    std::size_t set = 0;   ///< before `:` or `=`, or where something is called so
    std::size_t read = 0;  ///< elsewhere
  };

  std::string_view text(std::size_t i) const { return inputs_.sources.file(static_cast<FileId>(i)).text(); }

  void note_set(std::size_t i) {
    for (const TextLine& line : lines_of(text(i))) {
      const auto end = static_cast<std::size_t>(std::ranges::find_if_not(line.text, is_word_char) - line.text.begin());
      if (end < kLeastOfUndefined || !line.text.substr(end).starts_with(':') || is_digit(line.text[0])) continue;
      set_.try_emplace(line.text.substr(0, end),
                       Span{static_cast<FileId>(i), line.begin, line.begin + static_cast<std::uint32_t>(end)});
    }
  }

  void note_words() {
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const std::string_view all = text(i);
      for (std::size_t at = 0; at < all.size();) {
        if (!is_word_char(all[at])) {
          ++at;
          continue;
        }
        std::size_t end = at;
        while (end < all.size() && is_word_char(all[end])) ++end;
        const std::string_view word = all.substr(at, end - at);
        if (word.size() >= kLeastOfUndefined && contains(word, "_")) {
          Uses& uses = words_[word];
          ++(is_set_at(all, at, end) ? uses.set : uses.read);
        }
        at = end;
      }
    }
  }

  static bool is_set_at(std::string_view all, std::size_t begin, std::size_t end) {
    const std::string_view behind = trim(all.substr(end, 3));
    if ((behind.starts_with(':') || behind.starts_with('=')) && !behind.starts_with("==")) return true;
    const std::string_view before =
        all.substr(begin - std::min<std::size_t>(begin, 12), std::min<std::size_t>(begin, 12));
    return before.ends_with("register: ") || before.ends_with("name: ") || before.ends_with("loop_var: ") ||
           before.ends_with("name: \"") || before.ends_with("set ") || before.ends_with("for ");
  }

  void judge(std::size_t i) {
    const std::string_view all = text(i);
    for (std::size_t at = all.find("{{"); at != all.npos; at = all.find("{{", at + 2)) {
      const std::size_t close = all.find("}}", at);
      if (close == all.npos) return;
      const std::string_view inner = all.substr(at + 2, close - at - 2);
      const std::string_view words = trim(inner);
      const auto end = static_cast<std::size_t>(std::ranges::find_if_not(words, is_word_char) - words.begin());
      const std::string_view name = words.substr(0, end);
      const std::string_view behind = trim(words.substr(end));
      if (name.size() < kLeastOfUndefined || !is_shell_like(name) || name.starts_with("ansible_") ||
          name.starts_with("vault_") || (!behind.empty() && behind.front() != '|'))
        continue;
      const auto uses = words_.find(name);
      if (uses == words_.end() || uses->second.set > 0 || said_.contains(name)) continue;
      const auto [known, fresh] = nears_.try_emplace(name);
      if (fresh && nears_.size() < kMostAsked) known->second = near_of(name);
      const std::optional<std::string_view> near = known->second;
      const bool defaulted = contains(behind, "default");
      if (!near || is_tested(name)) continue;  // of few names
      // With a default it may be one of another program.
      if (defaulted && !contains(own_part(inputs_.files[i].context.path), near->substr(0, near->find('_')))) continue;
      said_.insert(name);
      const auto begin = static_cast<std::uint32_t>(name.data() - all.data());
      findings_.push_back(problem("playbook-variable-undefined",
                                  {static_cast<FileId>(i), begin, begin + static_cast<std::uint32_t>(name.size())},
                                  "nothing sets `" + std::string(name) + (defaulted ? "`, which has a default" : "`") +
                                      ", and nothing reads `" + std::string(*near) + "`, which is set"));
      findings_.back().related.push_back({set_.at(*near), "the one that is set"});
    }
  }

  static bool is_shell_like(std::string_view name) { return !is_digit(name[0]) && contains(name, "_"); }

  std::optional<std::string_view> near_of(std::string_view name) const {
    for (const std::string_view one : unread_) {
      if (one.ends_with("_" + std::string(name)) || name.ends_with("_" + std::string(one))) return one;
    }
    const auto found = std::ranges::find_if(unread_, [&](std::string_view one) { return is_variable_slip(name, one); });
    return found == unread_.end() ? std::nullopt : std::optional(*found);
  }

  /// `NAME is defined`: somebody knows that it may not be.
  bool is_tested(std::string_view name) {
    const auto [known, fresh] = tested_.try_emplace(name, true);
    if (!fresh || tested_.size() > kMostTested) return known->second;
    return known->second = asks_for(name);
  }

  bool asks_for(std::string_view name) const {
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const bool tested = some_line_with(text(i), name, [](std::string_view line) {
        return contains(line, "is defined") || contains(line, "is not defined");
      });
      if (tested) return true;
    }
    return false;
  }

  const Inputs& inputs_;
  std::vector<Finding>& findings_;
  std::map<std::string_view, Span> set_;
  std::map<std::string_view, Uses> words_;
  std::vector<std::string_view> unread_;
  std::map<std::string_view, std::optional<std::string_view>> nears_;
  std::map<std::string_view, bool> tested_;
  std::set<std::string_view> said_;
};

}  // namespace

void find_undefined_variables(const Inputs& inputs, std::vector<Finding>& findings) {
  UndefinedVariables(inputs, findings).run();
}

}  // namespace muster
