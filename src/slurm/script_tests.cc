#include "slurm/script_tests.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "base/strings.h"

namespace muster::sbatch {
namespace {

constexpr int kMostTests = 10;  // of one script

/// The words between the brackets of a test, or behind `test`; empty: it is none, or not one that is read whole.
std::span<const ShellWord> operands_of(const ShellCommand& command, std::string_view text) {
  const std::span<const ShellWord> words(command.words);
  if (words.size() < 2) return {};
  const std::string_view first = plain_text(words.front());
  if (first == "test") return words.subspan(1);
  if (first != "[" && first != "[[") return {};
  if (plain_text(words.back()) == (first == "[" ? "]" : "]]")) return words.subspan(1, words.size() - 2);
  // `[[ $x==0 && $y == 1 ]]`: the reader takes the two sides apart.
  const std::string_view behind = trim(text.substr(words.back().end, 20));
  const bool side = first == "[[" && (behind.starts_with("&&") || behind.starts_with("||"));
  return side ? words.subspan(1) : std::span<const ShellWord>();
}

/// `==` of `$x==0`, `-z` of `-z$x`, `!` of `!$x`; empty: the word has none, or nothing beside it.
std::string_view operator_in(const ShellWord& word) {
  const std::vector<const ShellPart*> parts = written_parts(word);
  bool variable = false;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const ShellPart& part = *parts[i];
    if (part.kind != ShellPart::Kind::Text) {
      variable = true;
      continue;
    }
    const std::string_view text = part.text;
    if (i == 0 && !part.quoted && parts.size() > 1 && parts[1]->kind != ShellPart::Kind::Text) {
      const bool option =
          text.size() == 2 && text[0] == '-' && std::string_view("defnrswxz").find(text[1]) != text.npos;
      if (option || text == "!") return text;
    }
    for (const std::string_view sign : {"==", "!=", "=~"}) {
      const std::size_t at = text.find(sign);
      if (at != text.npos && (variable || at > 0)) return text.substr(at, 2);
    }
    if (variable && text.starts_with('=')) return text.substr(0, 1);
  }
  return {};
}

class Tests {
 public:
  Tests(FileId file, std::string_view text, std::span<const ShellCommand> commands, std::vector<Finding>& findings)
      : file_(file), text_(text), commands_(commands), findings_(findings) {}

  void run() {
    int reported = 0;
    for (const ShellCommand& command : commands_) {
      std::span<const ShellWord> operands = operands_of(command, text_);
      const bool negated = operands.size() == 2 && plain_text(operands.front()) == "!";
      if (negated) operands = operands.subspan(1);
      if (operands.size() != 1 || !operands[0].items.empty() || is_filled_in(operands[0])) continue;
      const std::string told = amiss(operands[0]);
      if (told.empty() || ++reported > kMostTests) continue;
      findings_.push_back(problem("sbatch-test-of-word", {file_, operands[0].begin, operands[0].end},
                                  (negated ? "this is never true: " : "this is always true: ") + told));
    }
  }

 private:
  std::string_view written(const ShellWord& word) const { return text_.substr(word.begin, word.end - word.begin); }

  bool is_filled_in(const ShellWord& word) const {
    constexpr std::array<std::string_view, 4> kSigns{"{{", "}}", "@", "<"};
    return std::ranges::any_of(kSigns, [&](std::string_view sign) { return contains(written(word), sign); });
  }

  std::string amiss(const ShellWord& word) {
    if (const std::string_view sign = operator_in(word); !sign.empty())
      return "without a blank beside `" + std::string(sign) + "` all of it is one word, which is not empty";
    const std::string_view plain = plain_text(word);
    if (plain == "false" || plain == "0") return "`" + std::string(plain) + "` is a word, which is not empty";
    if (is_shell_name(plain) && is_variable(plain))
      return "`" + std::string(plain) + "` is a word, which is not empty; the variable is `$" + std::string(plain) +
             "`";
    return {};
  }

  /// Whether the script has a variable of that name. A name of Slurm's is nothing else.
  bool is_variable(std::string_view name) {
    if (name.starts_with("SLURM_")) return true;
    if (!names_read_) {
      names_read_ = true;
      for (const ShellCommand& command : commands_) {
        for (const ShellWord& word : command.words) {
          if (const std::string_view set = assigned_name(word); !set.empty()) names_.insert(std::string(set));
          for (const ShellPart& part : word.parts) {
            if (part.kind == ShellPart::Kind::Variable) names_.insert(part.text);
          }
        }
      }
    }
    return names_.contains(name);
  }

  FileId file_;
  std::string_view text_;
  std::span<const ShellCommand> commands_;
  std::vector<Finding>& findings_;
  std::set<std::string, std::less<>> names_;
  bool names_read_ = false;
};

}  // namespace

void find_tests_of_words(FileId file, std::string_view text, std::span<const ShellCommand> commands,
                         std::vector<Finding>& findings) {
  Tests(file, text, commands, findings).run();
}

}  // namespace muster::sbatch
