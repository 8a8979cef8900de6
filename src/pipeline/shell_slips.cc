#include "pipeline/shell_slips.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "pipeline/ending_increments.h"
#include "pipeline/find_commands.h"
#include "pipeline/input_names.h"
#include "pipeline/option_letters.h"
#include "pipeline/shell_texts.h"
#include "pipeline/shell_words.h"
#include "pipeline/unseen_status.h"
#include "slurm/script_slips.h"
#include "syntax/script_text.h"
#include "syntax/shell_reader.h"

namespace muster {
namespace {

constexpr std::size_t kMostOfScript = 10;
constexpr std::size_t kMostLoops = 50;     // that begin at 1
constexpr std::size_t kLongestHead = 200;  // of a loop

/// The only part of a word that is written; nullptr: there are several.
const ShellPart* lone_part(const ShellWord& word) {
  const std::vector<const ShellPart*> parts = written_parts(word);
  return parts.size() == 1 && word.items.empty() ? parts.front() : nullptr;
}

/// NAME of a line `NAME() {` or `function NAME`.
std::string_view defined_function(std::string_view line) {
  line = trim(line);
  const bool said = line.starts_with("function ");
  if (said) line = trim(line.substr(9));
  const std::size_t end = static_cast<std::size_t>(std::ranges::find_if_not(line, is_word_char) - line.begin());
  const std::string_view behind = trim(line.substr(end));
  return is_shell_name(line.substr(0, end)) && (said || behind.starts_with("()")) ? line.substr(0, end)
                                                                                  : std::string_view();
}

class ShellSlips {
 public:
  ShellSlips(FileId file, std::string_view text, std::vector<Finding>& findings)
      : file_(file), text_(text), findings_(findings) {}

  void run() {
    const std::vector<ShellCommand> commands = read_shell(text_);
    for (const std::string_view line : split(text_, '\n')) {
      if (const std::string_view name = defined_function(line); !name.empty()) functions_.insert(name);
    }
    for (const ShellCommand& command : commands) {
      if (command.words.empty()) continue;
      test(command);
      arrow(command, text_, 0);
      inner(command);
      find_bare_exec(file_, text_, command, findings_);
      find_name_of_path(file_, command, findings_);
      find_option_behind_image(file_, command, findings_);
    }
    loops();
    older_shell();
    profiles();
    find_shell_words(file_, text_, commands, functions_, findings_);
    if (!contains(text_, "#SBATCH")) sbatch::find_word_slips(file_, text_, commands, findings_);
    find_unseen_status(file_, text_, commands, findings_);
    find_status_of_declarations(file_, text_, commands, findings_);
    first_items(commands);
    find_ending_increments(file_, text_, commands, findings_);
    if (contains(text_, "getopts")) find_option_letters(file_, text_, commands, findings_);
  }

 private:
  void report(std::string_view rule, std::size_t begin, std::size_t end, std::string message) {
    if (++reported_ > kMostOfScript) return;
    findings_.push_back(
        problem(rule, {file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)}, std::move(message)));
  }

  void test(const ShellCommand& command) {
    const std::vector<ShellWord>& words = command.words;
    const std::string_view first = plain_text(words.front());
    const std::string_view end = first == "[[" ? "]]" : first == "[" ? "]" : "";
    if (end.empty() || plain_text(words.back()) != end) return;
    const std::size_t at = words.size() > 2 && plain_text(words[1]) == "!" ? 2 : 1;
    if (words.size() == at + 2 && functions_.contains(plain_text(words[at]))) {
      return report("script-test-of-name", words.front().begin, words.back().end,
                    "this asks whether the word `" + std::string(plain_text(words[at])) +
                        "` is empty, and does not call the function of that name");
    }
    if (first != "[" || words.size() != at + 3 || plain_text(words[at]) != "-n") return;
    const ShellPart* value = lone_part(words[at + 1]);
    if (value == nullptr || value->quoted) return;
    const bool command_of = value->kind == ShellPart::Kind::Command;
    const bool variable = value->kind == ShellPart::Kind::Variable && value->rest.empty() &&
                          (is_shell_name(value->text) || (value->text.size() == 1 && is_digit(value->text[0])));
    if (!command_of && !variable) return;
    report("script-test-without-quotes", words.front().begin, words.back().end,
           "without quotes nothing is left of an empty value, and `[ -n ]` is true");
  }

  /// `echo ... > ~/.bashrc`, which empties the file first.
  void profiles() {
    constexpr std::array<std::string_view, 5> kProfiles{".bashrc", ".bash_profile", ".profile", ".zshrc",
                                                        ".bash_login"};
    constexpr std::array<std::string_view, 7> kKnows{"cp ", "mv ", "-f ", "-e ", "-s ", "useradd", "mktemp"};
    // Another home than the user's.
    constexpr std::array<std::string_view, 8> kContainers{"--container-", "docker ", "podman ",  "apptainer ",
                                                          "singularity ", "enroot ", "kubectl ", "ssh "};
    constexpr std::array<std::string_view, 3> kHomes{"~/", "$HOME/", "${HOME}/"};
    if (!contains(text_, "#SBATCH") && !contains(text_, "#PBS")) return;
    if (std::ranges::none_of(kHomes, [&](std::string_view home) { return contains(text_, home); })) return;
    for (const std::string_view line : split(text_, '\n')) {
      const std::size_t sign = line.find('>');
      if (sign == line.npos || trim(line).starts_with('#')) continue;
      if (std::ranges::any_of(kContainers, [&](std::string_view one) { return contains(line, one); })) continue;
      for (const std::string_view name : kProfiles) {
        const std::size_t at = line.find(name, sign);
        if (at == line.npos) continue;
        const std::string_view behind = line.substr(at + name.size());
        std::string_view before = line.substr(0, at);
        const auto home = std::ranges::find_if(kHomes, [&](std::string_view one) { return before.ends_with(one); });
        if (home == kHomes.end() || (!behind.empty() && std::string_view(" \t\r\"';)").find(behind[0]) == behind.npos))
          continue;
        before.remove_suffix(home->size());
        if (before.ends_with('"')) before.remove_suffix(1);
        before = trim(before);
        if (!before.ends_with('>') || before.ends_with(">>")) continue;
        const auto knows = [&](std::string_view word) { return contains(text_, word); };
        if (some_line_with(text_, name,
                           [&](std::string_view other) {
                             return std::ranges::any_of(kKnows,
                                                        [&](std::string_view word) { return contains(other, word); });
                           }) ||
            knows("useradd"))
          return;
        const auto begin = static_cast<std::size_t>(line.data() - text_.data());
        return report("script-overwrites-profile", begin + at - home->size(), begin + at + name.size(),
                      "`>` empties `~/" + std::string(name) + "`, and what its user had written there is gone");
      }
    }
  }

  /// `echo $A -> $B`: what stands before `>` is a dash, and what stands behind it a file.
  void arrow(const ShellCommand& command, std::string_view text, std::uint32_t begin) {
    if (plain_text(command.words.front()) != "echo") return;
    for (std::size_t i = 1; i < command.words.size(); ++i) {
      const ShellWord& word = command.words[i];
      const std::string_view sign = plain_text(word);
      if ((sign != "-" && sign != "=" && sign != "--") || word.end >= text.size() || text[word.end] != '>') continue;
      if (word.end - word.begin != sign.size() || text.substr(word.end).starts_with(">>")) continue;
      return report(
          "script-arrow-redirects", begin + word.begin, begin + word.end + 1,
          "`" + std::string(sign) + ">` is no arrow here: the shell writes into a file of the name behind it");
    }
  }

  /// bash -c '...'
  void inner(const ShellCommand& command) {
    for (std::size_t i = 1; i + 1 < command.words.size(); ++i) {
      const std::string_view shell = plain_text(command.words[i - 1]);
      const ShellPart* text = lone_part(command.words[i + 1]);
      if ((shell != "bash" && shell != "sh") || !plain_text(command.words[i]).ends_with('c') || text == nullptr ||
          text->kind != ShellPart::Kind::Text || !text_.substr(text->offset).starts_with(text->text))
        continue;
      for (const ShellCommand& one : read_shell(text->text)) {
        if (!one.words.empty()) arrow(one, text->text, text->offset);
      }
      return;
    }
  }

  /// `NAME=(a b c)`, and `program $NAME`: bash takes the first item alone.
  void first_items(std::span<const ShellCommand> commands) {
    constexpr std::array<std::string_view, 13> kSets{"read",   "mapfile", "readarray", "for",     "select",
                                                     "unset",  "local",   "declare",   "getopts", "typeset",
                                                     "coproc", "wait",    "let"};
    constexpr std::array<std::string_view, 6> kSays{"echo", "printf", "log", "[", "[[", "test"};
    if (!contains(text_.substr(0, text_.find('\n')), "bash")) return;
    std::map<std::string_view, const ShellWord*> lists;
    std::set<std::string_view> others;
    for (const ShellCommand& command : commands) {
      if (command.words.empty()) continue;
      // `IFS=, read`
      const auto first =
          std::ranges::find_if(command.words, [](const ShellWord& word) { return assigned_name(word).empty(); });
      const std::string_view program = first == command.words.end() ? std::string_view() : plain_text(*first);
      const bool prints = program == "printf" && first + 1 != command.words.end() && plain_text(first[1]) == "-v";
      const bool sets = prints || std::ranges::find(kSets, program) != kSets.end();
      for (const ShellWord& word : command.words) {
        const std::string_view name = assigned_name(word);
        const bool list = word.items.size() > 1 && std::ranges::none_of(word.items, [](const ShellWord& item) {
                            return plain_text(item).empty();
                          });
        if (!name.empty() && (!list || !lists.try_emplace(name, &word).second)) others.insert(name);
        if (name.empty() && sets) others.insert(plain_text(word));
      }
    }
    for (const std::string_view name : others) lists.erase(name);
    if (lists.empty()) return;
    for (const ShellCommand& command : commands) {
      if (command.words.empty() || std::ranges::find(kSays, plain_text(command.words.front())) != kSays.end()) continue;
      for (const ShellWord& word : command.words) {
        if (!assigned_name(word).empty() || word.begin < command.words.front().begin) continue;
        for (const ShellPart& part : word.parts) {
          const auto list =
              part.kind == ShellPart::Kind::Variable && part.rest.empty() ? lists.find(part.text) : lists.end();
          if (list == lists.end() || word.begin < list->second->end) continue;
          report("script-list-as-word", word.begin, word.end,
                 "`$" + part.text + "` is the first of the " + std::to_string(list->second->items.size()) +
                     " items of `" + part.text + "`");
          lists.erase(list);
        }
      }
    }
  }

  /// `read A <<< "$B"` and `< <(...)` below `#!/bin/sh`: dash reads no further than this.
  void older_shell() {
    const std::string_view shebang = trim(text_.substr(0, text_.find('\n')));
    if (shebang != "#!/bin/sh" && shebang != "#!/usr/bin/sh" && shebang != "#!/usr/bin/env sh") return;
    for (const std::string_view sign : {"<<<", "< <("}) {
      const std::size_t at = find_in_script(text_, sign);
      if (at == text_.npos) continue;
      const std::size_t line = text_.rfind('\n', at) + 1;  // npos + 1 is 0
      const std::string_view before = text_.substr(line, at - line);
      if (contains(text_.substr(0, at), "<<")) continue;  // it may be the text of a here-document
      if (std::ranges::count(before, '"') % 2 != 0 || std::ranges::count(before, '\'') % 2 != 0) continue;
      return report("script-bash-in-sh", at, at + sign.size(),
                    "`" + std::string(sign) + "` is bash's: where sh is dash the script ends here with a syntax error");
    }
  }

  /// `for ((i = 1; i <= ${#A[@]}; i++))` with `${A[i]}`.
  void loops() {
    if (!contains(text_.substr(0, text_.find('\n')), "bash")) return;
    std::size_t loops = 0;
    for (std::size_t at = text_.find("${#"); at != text_.npos; at = text_.find("${#", at + 3)) {
      const std::size_t end = text_.find_first_of("[}\n", at);
      if (end == text_.npos || text_[end] != '[') continue;
      const std::string_view array = text_.substr(at + 3, end - at - 3);
      const std::string_view before = text_.substr(at - std::min(at, kLongestHead), std::min(at, kLongestHead));
      const std::string name = counter_from_one(before.substr(before.rfind('\n') + 1));
      if (name.empty() || !is_shell_name(array) || counted_.contains(array)) continue;
      if (++loops > kMostLoops) return;
      if (!reads_at(array, name, at) || is_filled_by_number(array)) continue;
      counted_.insert(array);
      report("script-array-from-one", at, end,
             "the first item of `" + std::string(array) +
                 "` is number 0: this loop leaves it out, and ends behind the last");
    }
  }

  /// `i` of `for ((i=1; i<=` or `for i in $(seq 1 `; empty: no loop that counts from 1 up to what stands behind.
  static std::string counter_from_one(std::string_view head) {
    head = trim(head);
    if (head.starts_with("#") || !head.starts_with("for ")) return {};
    std::string plain;
    for (const char c : head.substr(4)) plain += c == ' ' || c == '"' ? "" : std::string(1, c);
    const std::size_t sign = plain.find("=1;");
    if (plain.starts_with("((") && sign != plain.npos) {
      const std::string name = plain.substr(2, sign - 2);
      return plain.substr(sign + 3) == name + "<=" ? name : std::string();
    }
    const std::size_t in = plain.find("in$(seq1");
    return in != plain.npos && in + 8 == plain.size() ? plain.substr(0, in) : std::string();
  }

  bool reads_at(std::string_view array, const std::string& name, std::size_t from) const {
    const std::size_t end = text_.find("done", from);
    const std::string_view body = text_.substr(from, end == text_.npos ? end : end - from);
    const std::string before = "${" + std::string(array) + "[";
    return contains(body, before + name + "]") || contains(body, before + "$" + name + "]") ||
           contains(body, before + "${" + name + "}]");
  }

  bool is_filled_by_number(std::string_view array) const {
    const std::string name(array);
    for (std::size_t at = text_.find(name + "["); at != text_.npos; at = text_.find(name + "[", at + 1)) {
      const std::size_t end = text_.find(']', at);
      const bool read = at >= 1 && (text_[at - 1] == '{' || text_[at - 1] == '#');
      if (!read && end != text_.npos && text_.substr(end + 1).starts_with('=')) return true;
    }
    return contains(text_, "-A " + name) || contains(text_, name + "=([") || contains(text_, "-O ") ||
           contains(text_, "-O1") || contains(text_, name + "=(\"\"") || contains(text_, name + "=(''");
  }

  FileId file_;
  std::string_view text_;
  std::vector<Finding>& findings_;
  std::set<std::string_view> functions_;
  std::set<std::string_view> counted_;
  std::size_t reported_ = 0;
};

/// Without a first line that names a program it is read into a shell.
bool is_sourced(std::string_view path, std::string_view text) {
  return (path.ends_with(".sh") || path.ends_with(".bash")) && !text.starts_with("#!");
}

}  // namespace

void find_shell_slips(const Inputs& inputs, std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const auto file = static_cast<FileId>(i);
    const std::string_view text = inputs.sources.file(file).text();
    if (inputs.files[i].context.path.ends_with(".gitlab-ci.yml")) {
      find_unseen_status_of_items(file, text, findings);
    } else if ((begins_with_shell(text) || is_sourced(inputs.files[i].context.path, text)) && !may_be_filled_in(text)) {
      ShellSlips(file, text, findings).run();
    }
  }
}

}  // namespace muster
