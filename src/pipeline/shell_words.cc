#include "pipeline/shell_words.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "base/strings.h"
#include "syntax/script_text.h"

namespace muster {
namespace {

constexpr std::size_t kMostWordSlips = 10;  // of one script
constexpr std::size_t kMostKept = 500;      // variables
constexpr std::size_t kLongestKept = 1000;  // of a value

using PartKind = ShellPart::Kind;

bool is_any_of(std::string_view word, const auto& words) { return std::ranges::find(words, word) != words.end(); }

/// The one variable that a word is, without quotes around it; nullptr: it is something else.
const ShellPart* bare_variable(const ShellWord& word) {
  const std::vector<const ShellPart*> parts = written_parts(word);
  const bool one = parts.size() == 1 && word.items.empty() && parts[0]->kind == PartKind::Variable;
  return one && !parts[0]->quoted && parts[0]->rest.empty() ? parts[0] : nullptr;
}

/// What is assigned, quotes of the shell resolved and `$NAME` for variables.
std::string value_text(const ShellWord& word) {
  std::string out;
  for (const ShellPart& part : word.parts) {
    switch (part.kind) {
      case PartKind::Text: out += part.text; break;
      case PartKind::Variable: out += "$" + part.text; break;
      default: out += "$_"; break;
    }
  }
  return out.substr(std::min(out.find('=') + 1, out.size()));
}

/// The first word of a text that begins with a quote, and another that ends with it: `'import time; ...'`. Empty: none.
/// Quotes within a word, as those of JSON, are not meant.
std::string_view quoted_within(std::string_view text) {
  for (std::size_t at = text.find_first_of("'\""); at != text.npos; at = text.find_first_of("'\"", at + 1)) {
    const bool begins = at == 0 || text[at - 1] == ' ' || text[at - 1] == '=';
    if (!begins) continue;
    const std::size_t end = text.find(text[at], at + 1);
    if (end == text.npos) return {};
    const bool ends = end + 1 == text.size() || text[end + 1] == ' ' || text[end + 1] == '\n';
    if (!ends || end == at + 1) {
      at = end;
      continue;
    }
    const std::size_t first = text.rfind(' ', at) + 1;  // npos + 1 is 0
    return text.substr(first, text.find(' ', first) - first);
  }
  return {};
}

bool means_no(std::string_view text) {
  return equals_ignoring_case(text, "false") || equals_ignoring_case(text, "no") || text == "0";
}

class WordSlips {
 public:
  WordSlips(FileId file, std::string_view text, std::span<const ShellCommand> commands,
            const std::set<std::string_view>& functions, std::vector<Finding>& findings)
      : file_(file), text_(text), commands_(commands), functions_(functions), findings_(findings) {}

  void run() {
    const std::string_view shebang = text_.substr(0, text_.find('\n'));
    const bool bash = contains(shebang, "bash");
    const bool splits = bash || shebang.ends_with("/sh") || contains(shebang, "/sh ");  // zsh does not
    const bool splits_at_blanks = splits && !contains(text_, "IFS=");
    find_emptied();
    for (const ShellCommand& command : commands_) {
      if (command.words.empty()) continue;
      if (bash) taken(command);
      if (splits_at_blanks) quoted(command);
      flags(command);
      test(command);
      module(command);
      literal(command);
      exported(command);
      keep(command);
    }
  }

 private:
  void report(std::string_view rule, std::uint32_t begin, std::uint32_t end, std::string message) {
    if (++reported_ > kMostWordSlips) return;
    findings_.push_back(problem(rule, {file_, begin, end}, std::move(message)));
  }

  /// What a command assigns, behind export or alone.
  static std::vector<const ShellWord*> assignments(const ShellCommand& command) {
    constexpr std::array<std::string_view, 5> kDeclare{"export", "declare", "local", "readonly", "typeset"};
    std::vector<const ShellWord*> out;
    const bool declares = is_any_of(plain_text(command.words.front()), kDeclare);
    for (const ShellWord& word : command.words) {
      if (!assigned_name(word).empty()) {
        out.push_back(&word);
      } else if (!declares) {
        return out.size() == command.words.size() ? out : std::vector<const ShellWord*>();  // NAME=value command
      }
    }
    return out;
  }

  void keep(const ShellCommand& command) {
    for (const ShellWord* word : assignments(command)) {
      const std::string name(assigned_name(*word));
      if (values_.size() >= kMostKept && !values_.contains(name)) continue;
      const bool append = word->parts.front().text.substr(name.size()).starts_with("+=");
      std::string value = word->items.empty() ? value_text(*word) : std::string();
      std::string& kept = values_[name];
      if (!append) kept.clear();
      if (kept.size() < kLongestKept) kept.append(value, 0, kLongestKept);
    }
  }

  /// COMMAND="python -c 'import x'", and then $COMMAND: quotes that come out of a variable are signs like others.
  void quoted(const ShellCommand& command) {
    constexpr std::array<std::string_view, 24> kReadAgain{
        "eval", "echo",     "printf", "ssh",  "for",   "case",  "[",  "[[",   "test", "logger", "xargs",  "read",
        "set",  "parallel", "pdsh",   "pssh", "clush", "watch", "su", "tmux", "mosh", "gcloud", "screen", "rsh"};
    const std::string_view program = plain_text(command.words.front());
    if (is_any_of(program, kReadAgain) || functions_.contains(program)) return;
    if (const ShellPart* front = bare_variable(command.words.front()); front != nullptr) {
      const auto known = values_.find(front->text);
      const std::string_view value = known == values_.end() ? std::string_view() : std::string_view(known->second);
      const std::string_view name = value.substr(0, value.find(' '));
      if (value.empty() || is_any_of(name.substr(name.rfind('/') + 1), kReadAgain) || contains(value, " -c")) return;
    }
    for (const ShellWord& word : command.words) {
      const std::string_view plain = plain_text(word);
      if (plain == "-c" || is_any_of(plain, kReadAgain)) return;
      const ShellPart* variable = bare_variable(word);
      const auto found = variable == nullptr ? values_.end() : values_.find(variable->text);
      if (found == values_.end()) continue;
      const std::string_view got = quoted_within(found->second);
      if (got.empty() || contains(found->second, "\"device=")) continue;  // docker reads it as a line of CSV
      return report(
          "script-quotes-in-variable", word.begin, word.end,
          "quotes within a variable are signs like others: the program gets the word `" + std::string(got) + "`");
    }
  }

  /// Variables that are empty somewhere, or get their value from who knows where.
  void find_emptied() {
    for (const ShellCommand& command : commands_) {
      if (command.words.empty()) continue;
      if (plain_text(command.words.front()) == "unset") {
        for (const ShellWord& word : command.words) unset_.insert(std::string(plain_text(word)));
      }
      constexpr std::array<std::string_view, 5> kFillers{"unset", "read", "for", "getopts", "mapfile"};
      if (is_any_of(plain_text(command.words.front()), kFillers)) {
        for (const ShellWord& word : command.words) filled_.insert(std::string(plain_text(word)));
      }
      if (plain_text(command.words.front()) == "local" || plain_text(command.words.front()) == "declare") {
        for (const ShellWord& word : command.words) filled_.insert(std::string(plain_text(word)));
      }
      for (const ShellWord* word : assignments(command)) {
        const std::string name(assigned_name(*word));
        if (!no_or_yes(*word, name).empty()) continue;
        open_.insert(name);
        if (value_text(*word) != "$?") filled_.insert(name);
      }
    }
    open_.insert(filled_.begin(), filled_.end());
  }

  /// `false` of NAME=false and NAME=${NAME:-false}; also `true`. Empty for others.
  static std::string_view no_or_yes(const ShellWord& word, std::string_view name) {
    const std::vector<const ShellPart*> parts = written_parts(word);
    std::string_view text;
    if (parts.size() == 1 && parts[0]->kind == PartKind::Text)
      text = std::string_view(parts[0]->text).substr(std::min(name.size() + 1, parts[0]->text.size()));
    if (parts.size() == 2 && parts[0]->kind == PartKind::Text && parts[0]->text.size() == name.size() + 1) {
      const std::string_view rest = parts[1]->rest;
      if (parts[1]->kind == PartKind::Text) text = parts[1]->text;
      if (parts[1]->kind == PartKind::Variable && (rest.starts_with(":-") || rest.starts_with(":=")))
        text = rest.substr(2);
    }
    const bool yes = equals_ignoring_case(text, "true") || equals_ignoring_case(text, "yes") || text == "1";
    return means_no(text) || yes ? text : std::string_view();
  }

  /// ${PUSH:+--push}, where PUSH is `false`: that is not empty.
  void flags(const ShellCommand& command) {
    if (!command.branch && !command.loop && !command.function) {
      for (const ShellWord* word : assignments(command)) {
        const std::string name(assigned_name(*word));
        const std::string_view text = no_or_yes(*word, name);
        if (!open_.contains(name) && means_no(text)) off_.emplace(name, text);
      }
    }
    if (command.branch) return;
    for (const ShellWord& word : command.words) {
      for (const ShellPart& part : word.parts) {
        if (part.kind != PartKind::Variable || !off_.contains(part.text) || !part.rest.starts_with(":+")) continue;
        const std::string_view flag = std::string_view(part.rest).substr(2);
        // ${SEED:+--seed $SEED} with 0: a value.
        const bool value = contains(flag, "$" + part.text) || contains(flag, "${" + part.text) ||
                           (off_[part.text] == "0" && flag.find_first_of(" =") != flag.npos);
        if (!flag.starts_with('-') || value) continue;
        return report("script-flag-of-false", word.begin, word.end,
                      "`${" + part.text + ":+...}` asks whether `" + part.text + "` is empty, and `" + off_[part.text] +
                          "` is not: `" + std::string(flag) + "` is always given");
      }
    }
  }

  /// [ $FAILED ], where FAILED is 0 or 1, or `$?`: some text is there, whatever it says.
  void test(const ShellCommand& command) {
    const std::vector<ShellWord>& words = command.words;
    const std::string_view first = plain_text(words.front());
    if (first != "[" && first != "[[" && first != "test") return;
    const std::size_t at = words.size() > 1 && (plain_text(words[1]) == "!" || plain_text(words[1]) == "-n") ? 2 : 1;
    if (words.size() != at + (first == "test" ? 1 : 2)) return;
    const std::string_view written = text_.substr(words.front().begin, words.back().end - words.front().begin);
    if (written.find_first_of("<>") != written.npos) return;  // [[ $N > 1 ]]
    const std::vector<const ShellPart*> parts = written_parts(words[at]);
    if (parts.size() != 1 || parts[0]->kind != PartKind::Variable || !parts[0]->rest.empty()) return;
    const std::string& name = parts[0]->text;
    // `[ -n "$N" ] && [ $N -eq 1 ]`
    const std::string_view behind = trim(text_.substr(words.back().end, 200));
    if (behind.starts_with("&&") && contains(behind.substr(0, behind.find('\n')), name)) return;
    const auto value = values_.find(name);
    const bool status = value != values_.end() && value->second == "$?" && !filled_.contains(name);
    const auto off = off_.find(name);
    if (!status && off == off_.end()) return;
    report("script-test-of-false", words.front().begin, words.back().end,
           "this asks whether `" + name + "` is empty, and it never is: " +
               (status ? std::string("`$?` is a number") : "`" + off->second + "` is a text like others"));
  }

  /// `for IP in "\${NODES[@]}"`, as it would stand in a here-document: one item, the text itself.
  void literal(const ShellCommand& command) {
    if (plain_text(command.words.front()) != "for" || command.here_document || command.words.size() < 3) return;
    for (const ShellWord& word : command.words) {
      const std::vector<const ShellPart*> parts = written_parts(word);
      const bool literal = parts.size() == 1 && parts[0]->kind == PartKind::Text;
      const std::string_view text = literal ? std::string_view(parts[0]->text) : std::string_view();
      const std::size_t end = text.find("[@]}");
      if (!text.starts_with("${") || end == text.npos ||
          !contains(text_.substr(word.begin, word.end - word.begin), "\\$"))
        continue;
      const std::string name(text.substr(2, end - 2));
      if (!values_.contains(name)) continue;
      return report("script-loop-of-literal", word.begin, word.end,
                    "the backslash keeps `" + std::string(text) + "` as it is: the loop runs once, with that text");
    }
  }

  /// `module NAME/VERSION`, without `load`.
  void module(const ShellCommand& command) {
    if (plain_text(command.words.front()) != "module" || command.words.size() < 2 || functions_.contains("module"))
      return;
    const std::string_view name = plain_text(command.words[1]);
    const std::size_t slash = name.find('/');
    if (slash == name.npos || slash == 0 || name[0] == '-' || name[0] == '.' || name[0] == '~') return;
    report("script-module-without-verb", command.words[0].begin, command.words[1].end,
           "`module` knows no command `" + std::string(name) + "`: nothing is loaded");
  }

  /// Names that bash keeps for itself.
  void taken(const ShellCommand& command) {
    constexpr std::array<std::string_view, 6> kReadOnly{"BASHOPTS", "BASH_VERSINFO", "EUID",
                                                        "PPID",     "SHELLOPTS",     "UID"};
    for (const ShellWord* word : assignments(command)) {
      const std::string_view name = assigned_name(*word);
      const bool read_only = is_any_of(name, kReadOnly);
      const std::string_view truth = no_or_yes(*word, name);
      const bool drawn = name == "RANDOM" && !truth.empty() && !is_digit(truth[0]);
      if (!read_only && !drawn && name != "GROUPS") continue;
      if (!read_only && unset_.contains(name)) continue;
      return report("script-variable-of-shell", word->begin, word->begin + static_cast<std::uint32_t>(name.size()),
                    "`" + std::string(name) + "` is a variable of bash's own, " +
                        (read_only ? "and read-only: the assignment fails"
                         : drawn   ? "and a number drawn anew each time that it is read"
                                   : "and assignments to it are without effect"));
    }
  }

  /// `Q0_K_M` of `Q4_K_M`: words of one list look alike.
  static std::string shape(std::string_view word) {
    std::string out(word);
    std::ranges::replace_if(out, is_digit, '0');
    return out;
  }

  /// --export=ALL,TYPES=Q4_K,Q5_K: a comma ends the value. Also within JOB=$(sbatch ...).
  void exported(const ShellCommand& command, const Span* around = nullptr) {
    constexpr std::array<std::string_view, 3> kTake{"sbatch", "srun", "salloc"};
    for (const ShellWord& word : command.words) {
      for (const ShellPart& part : word.parts) {
        if (around != nullptr || part.kind != PartKind::Command || !contains(part.text, "--export=")) continue;
        const std::size_t at = text_.find("--export=", word.begin);
        if (at >= word.end) continue;
        const Span place{file_, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + 9)};
        for (const ShellCommand& inner : read_shell(part.text)) exported(inner, &place);
      }
    }
    if (std::ranges::none_of(command.words, [&](const ShellWord& word) { return is_any_of(plain_text(word), kTake); }))
      return;
    for (const ShellWord& word : command.words) {
      const std::string_view head = word.parts.empty() ? std::string_view() : std::string_view(word.parts[0].text);
      if (!head.starts_with("--export=")) continue;
      const std::string list = value_text(word);
      std::string_view value;
      for (const std::string_view item : split(list, ',')) {
        if (item.find_first_of("'\"") != item.npos) break;  // sbatch takes quotes around a value
        if (const std::size_t sign = item.find('='); sign != item.npos) {
          value = item.substr(sign + 1);
          continue;
        }
        if (value.empty() || item.empty() || contains(item, "$")) continue;
        const bool alike = shape(item) == shape(value) && item != value && shape(item) != item;
        if (is_shell_name(item) && !alike) continue;
        const Span place = around == nullptr ? Span{file_, word.begin, word.end} : *around;
        return report(
            "sbatch-export-value-cut", place.begin, place.end,
            "a comma ends a value of --export: `" + std::string(item) + "` is taken for the name of a variable");
      }
    }
  }

  FileId file_;
  std::string_view text_;
  std::span<const ShellCommand> commands_;
  const std::set<std::string_view>& functions_;
  std::vector<Finding>& findings_;
  std::map<std::string, std::string> values_;  ///< by variable, what was assigned last
  std::set<std::string> open_;                 ///< variables that may be empty
  std::set<std::string> filled_;               ///< those of them whose value is not `$?`
  std::set<std::string, std::less<>> unset_;
  std::map<std::string, std::string> off_;  ///< variables that are `false` until somebody says otherwise
  std::size_t reported_ = 0;
};

}  // namespace

void find_shell_words(FileId file, std::string_view text, std::span<const ShellCommand> commands,
                      const std::set<std::string_view>& functions, std::vector<Finding>& findings) {
  WordSlips(file, text, commands, functions, findings).run();
}

}  // namespace muster
