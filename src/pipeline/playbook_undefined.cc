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
constexpr std::size_t kLongestName = 100;    // that is compared
constexpr std::size_t kMostAlikeNames = 50;  // with one word left out
constexpr std::size_t kLongestRead = 500;    // `{{ ... }}`
constexpr std::size_t kMostTested = 100;     // that are looked for once more
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

constexpr std::size_t kLeastWord = 5;

/// `slurmdbd` and `slurmdb`: a letter more, less or another, in words that are long enough for that.
bool is_word_slip(std::string_view a, std::string_view b) {
  const std::size_t longest = std::max(a.size(), b.size());
  const std::size_t shortest = std::min(a.size(), b.size());
  if (shortest < kLeastWord || longest - shortest > 1) return false;
  std::size_t head = 0;
  while (head < shortest && a[head] == b[head]) ++head;
  std::size_t tail = 0;
  while (tail < shortest - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
  return head + tail + 1 >= longest;
}

/// Names that are found by others near to them.
class NearNames {
 public:
  void add(std::string_view name) {
    if (name.size() > kLongestName) return;
    whole_.insert(name);
    for (std::size_t at = name.find('_'); at != name.npos; at = name.find('_', at + 1))
      tails_.try_emplace(name.substr(at + 1), name);
    each_word(name, [&](std::string rest, std::string_view word) {
      std::vector<Alike>& alike = alike_[std::move(rest)];
      if (alike.size() < kMostAlikeNames) alike.push_back({word, name});
      return false;
    });
  }

  /// The one that has more words before it or fewer, or another by a slip in one word: `slurmctld_port` is not
  /// `slurmctld_host`.
  std::optional<std::string_view> near(std::string_view name) const {
    if (name.size() > kLongestName) return std::nullopt;
    if (const auto found = tails_.find(name); found != tails_.end()) return found->second;
    for (std::size_t at = name.find('_'); at != name.npos; at = name.find('_', at + 1)) {
      if (const auto found = whole_.find(name.substr(at + 1)); found != whole_.end()) return *found;
    }
    std::optional<std::string_view> out;
    each_word(name, [&](const std::string& rest, std::string_view word) {
      const auto found = alike_.find(rest);
      if (found == alike_.end()) return false;
      for (const Alike& one : found->second) {
        if (one.word == word || !is_word_slip(one.word, word)) continue;
        out = one.name;
        return true;
      }
      return false;
    });
    return out;
  }

 private:
  struct Alike {
    std::string_view word;
    std::string_view name;
  };

  /// `take(rest, word)` for each word that may have a slip, with the rest of the name, until it says true.
  template <class Take>
  static void each_word(std::string_view name, const Take& take) {
    for (std::size_t begin = 0; begin <= name.size();) {
      const std::size_t end = std::min(name.find('_', begin), name.size());
      if (end - begin >= kLeastWord) {
        std::string rest(name.substr(0, begin));
        rest += '*';
        rest += name.substr(end);
        if (take(std::move(rest), name.substr(begin, end - begin))) return;
      }
      begin = end + 1;
    }
  }

  std::set<std::string_view> whole_;
  std::map<std::string_view, std::string_view> tails_;
  std::map<std::string, std::vector<Alike>> alike_;
};

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
      if (text(i).starts_with("$ANSIBLE_VAULT")) return;  // what it sets nobody sees
      if (sets_variables(path) && is_yaml_file(path)) note_set(i);
      about = about || (path.ends_with(".j2") && (contains(path, "slurm") || contains(text(i), "Slurm")));
    }
    if (!about || set_.empty() || set_.size() > kMostSetVariables || letters > kMostPlaybookText) return;
    note_words();
    bool any = false;
    for (const auto& [name, where] : set_) {
      const auto found = words_.find(name);
      if (found == words_.end() || found->second.read > 0) continue;
      unread_.add(name);
      any = true;
    }
    if (!any) return;
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

  /// Names that a template itself sets: `{% macro node(name, cpus) %}`, `{% for key, value in %}`, `{% set a, b = %}`.
  void note_given(std::string_view all) {
    for (std::size_t at = all.find("{%"); at != all.npos; at = all.find("{%", at + 2)) {
      std::string_view inner = all.substr(at + 2, kLongestRead);
      inner = inner.substr(0, inner.find("%}"));
      inner = trim(inner.starts_with('-') || inner.starts_with('+') ? inner.substr(1) : inner);
      std::string_view names;
      if (inner.starts_with("macro ") || inner.starts_with("call")) names = inner;
      if (inner.starts_with("for ")) names = inner.substr(0, inner.find(" in "));
      if (inner.starts_with("set ")) names = inner.substr(0, inner.find('='));
      for (std::size_t begin = 0; begin < names.size();) {
        std::size_t end = begin;
        while (end < names.size() && is_word_char(names[end])) ++end;
        if (end - begin >= kLeastOfUndefined) ++words_[names.substr(begin, end - begin)].set;
        begin = end + 1;
      }
    }
  }

  void note_words() {
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const std::string_view all = text(i);
      note_given(all);
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
    std::string_view behind = all.substr(end, 4);
    if (behind.starts_with("\":") || behind.starts_with("':") || behind.starts_with("\\\":")) return true;  // JSON
    behind = trim(behind.substr(0, 3));
    if ((behind.starts_with(':') || behind.starts_with('=')) && !behind.starts_with("==")) return true;
    const std::string_view before =
        all.substr(begin - std::min<std::size_t>(begin, 12), std::min<std::size_t>(begin, 12));
    return before.ends_with("register: ") || before.ends_with("name: ") || before.ends_with("loop_var: ") ||
           before.ends_with("name: \"") || before.ends_with("set ") || before.ends_with("for ");
  }

  void judge(std::size_t i) {
    const std::string_view all = text(i);
    for (std::size_t at = all.find("{{"); at != all.npos; at = all.find("{{", at + 2)) {
      const std::size_t length = all.substr(at, kLongestRead).find("}}");
      if (length == all.npos) continue;
      const std::size_t close = at + length;
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
      if (fresh) known->second = unread_.near(name);
      const std::optional<std::string_view> near = known->second;
      const bool defaulted = contains(behind, "default");
      if (!near || is_set_from(*near, name) || is_tested(name)) continue;  // of few names
      // With a default it may be one of another program.
      if (defaulted && !contains(own_part(inputs_.files[i].context.path), near->substr(0, near->find('_')))) continue;
      said_.insert(name);
      findings_.push_back(problem("playbook-variable-undefined", span_of_part(static_cast<FileId>(i), all, name),
                                  "nothing sets `" + std::string(name) + (defaulted ? "`, which has a default" : "`") +
                                      ", and nothing reads `" + std::string(*near) + "`, which is set"));
      findings_.back().related.push_back({set_.at(*near), "the one that is set"});
    }
  }

  static bool is_shell_like(std::string_view name) { return !is_digit(name[0]) && contains(name, "_"); }

  /// `ldap_password: "{{ secret_ldap_password }}"`: no slip, the one is the other.
  bool is_set_from(std::string_view near, std::string_view name) const {
    const Span where = set_.at(near);
    const std::string_view behind = text(static_cast<std::size_t>(where.file)).substr(where.end, kLongestRead);
    return contains(behind.substr(0, behind.find('\n')), name);
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
  NearNames unread_;
  std::map<std::string_view, std::optional<std::string_view>> nears_;
  std::map<std::string_view, bool> tested_;
  std::set<std::string_view> said_;
};

}  // namespace

void find_undefined_variables(const Inputs& inputs, std::vector<Finding>& findings) {
  UndefinedVariables(inputs, findings).run();
}

}  // namespace muster
