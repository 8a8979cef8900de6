#include "syntax/shell_blocks.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "syntax/shell_word_skipper.h"

namespace muster {
namespace {

constexpr int kDeepestSubstitution = 32;

class BlockReader final : ShellWordSkipper {
 public:
  using ShellWordSkipper::ShellWordSkipper;

  std::optional<ShellBlockSlip> run() {
    commands(0);
    if (slip_) return slip_;
    if (odd_) return ShellBlockSlip{ShellBlockSlip::Kind::Quote, std::string(1, odd_->quote), odd_->begin, "", 0};
    if (stopped_ || open_.empty()) return std::nullopt;
    const Open& open = closed_by_another_ ? *closed_by_another_ : open_.back();
    return ShellBlockSlip{ShellBlockSlip::Kind::Unclosed, open.word, open.begin, "", 0};
  }

 private:
  /// What a reserved word opened; `body`: behind `then`, `do`, or a pattern of `case`.
  struct Open {
    std::string word;
    std::uint32_t begin = 0;
    bool body = false;
  };
  struct Heredoc {
    std::string word;
    bool tabs = false;
  };

  /// Up to the `)` of a substitution; at the top up to the end.
  void commands(int depth) {
    if (depth > kDeepestSubstitution) return give_up();
    const std::size_t base = open_.size();
    begin_command(false);
    while (!over()) {
      skip_gaps();
      if (over()) break;
      const char c = peek();
      if (c == '#') {
        skip_comment();
      } else if (c == '\n') {
        if (ends_here(depth)) return give_up();
        line_end();
        begin_command(false);
      } else if (c == ')') {
        if (open_.size() == base && depth > 0) {
          ++at_;
          return;
        }
        if (open_.size() == base || open_.back().word != "(") return give_up();
        open_.pop_back();
        ++at_;
        begin_command(true);
      } else if (c == '<' || c == '>') {
        redirection();
      } else if (c == ';' || c == '&' || c == '|') {
        separator(depth);
      } else if (c == '(') {
        paren();
      } else {
        command_word(base, depth);
      }
    }
    if (depth > 0) give_up();  // the text ended within it
  }

  /// Whether the shell reads nothing behind this command.
  bool ends_here(int depth) const {
    return depth == 0 && open_.empty() && !conditional_ && (first_ == "exit" || (first_ == "exec" && words_ > 1));
  }

  void begin_command(bool conditional) {
    head_ = true;
    conditional_ = conditional;
    first_.clear();
    words_ = 0;
  }

  void line_end() override {
    ++at_;
    for (const Heredoc& document : std::exchange(heredocs_, {})) {
      if (!skip_heredoc(document)) return give_up();
    }
  }

  bool skip_heredoc(const Heredoc& document) {
    while (at_ < text_.size()) {
      const std::size_t end = std::min(text_.find('\n', at_), text_.size());
      std::string_view line = text_.substr(at_, end - at_);
      if (line.ends_with('\r')) line.remove_suffix(1);
      while (document.tabs && line.starts_with('\t')) line.remove_prefix(1);
      at_ = std::min(end + 1, text_.size());
      if (line == document.word) return true;
    }
    return false;
  }

  void redirection() {
    if (starts("<<<")) {
      at_ += 3;
    } else if (starts("<<")) {
      at_ += 2;
      Heredoc document;
      document.tabs = peek() == '-';
      at_ += document.tabs ? 1 : 0;
      skip_gaps();
      const std::size_t begin = at_;
      word();
      for (const char c : text_.substr(begin, at_ - begin)) {
        if (c != '\'' && c != '"' && c != '\\') document.word += c;
      }
      if (document.word.empty()) return give_up();
      heredocs_.push_back(std::move(document));
      return;
    } else if (peek(1) == '(') {
      at_ += 2;
      return substitution();
    } else {
      ++at_;
      while (peek() == '>' || peek() == '&' || peek() == '|') ++at_;
    }
    skip_gaps();
    if (starts("<(") || starts(">(")) return redirection();
    if (!ends_plain_word(peek())) word();
  }

  void separator(int depth) {
    if (starts("&>")) {
      ++at_;
      return redirection();
    }
    const bool item_ends = starts(";;") || starts(";&");
    if (item_ends) {
      if (open_.empty() || open_.back().word != "case") return give_up();
      at_ += starts(";;&") ? 3 : 2;
      begin_command(false);
      return pattern();
    }
    const bool doubled = (peek() == '&' || peek() == '|') && peek(1) == peek();
    if (peek() == ';' && ends_here(depth)) return give_up();
    at_ += doubled || starts("|&") ? 2 : 1;
    begin_command(doubled || text_[at_ - 1] == '|');
  }

  void paren() {
    if (!head_) {
      const std::size_t close = text_.find_first_not_of(" \t", at_ + 1);
      if (words_ != 1 || close == text_.npos || text_[close] != ')') return give_up();
      at_ = close + 1;  // name()
      skip_lines();
      return begin_command(true);
    }
    if (peek(1) == '(') {
      skip_parens();
      return begin_command(true);
    }
    open_.push_back({"(", static_cast<std::uint32_t>(at_), true});
    ++at_;
    begin_command(true);
  }

  void substitution() override {
    const bool head = head_;
    const bool conditional = conditional_;
    const std::string first = first_;
    const int words = words_;
    ++substitutions_;
    commands(substitutions_);
    --substitutions_;
    head_ = head;
    conditional_ = conditional;
    first_ = first;
    words_ = words;
  }

  void command_word(std::size_t base, int depth) {
    const std::size_t begin = at_;
    word();
    if (stopped_ || odd_) return;
    const std::string_view text = text_.substr(begin, at_ - begin);
    const bool head = std::exchange(head_, false);
    if (++words_ == 1) first_ = text.size() < 10 ? std::string(text) : std::string();
    if (!head) return;
    if (text == "[[") return double_brackets();
    reserved(text, begin, base, depth);
  }

  void reserved(std::string_view text, std::size_t begin, std::size_t base, int depth) {
    constexpr std::array<std::string_view, 4> kGoOn{"then", "else", "elif", "do"};
    constexpr std::array<std::string_view, 4> kClose{"fi", "done", "esac", "}"};
    const auto place = static_cast<std::uint32_t>(begin);
    if (text == "if" || text == "while" || text == "until" || text == "{") {
      if (text == "{" && loop_in_head(base)) {
        open_.back().word = "{";  // for (( ... )) { ... }
      } else {
        open_.push_back({std::string(text), place, text == "{"});
      }
      begin_command(true);
    } else if (text == "for" || text == "select") {
      open_.push_back({std::string(text), place, false});
      loop_head();
    } else if (text == "case") {
      open_.push_back({"case", place, false});
      case_head();
    } else if (text == "function") {
      skip_gaps();
      word();
      skip_gaps();
      const std::size_t close = peek() == '(' ? text_.find(')', at_) : text_.npos;
      if (close != text_.npos && trim(text_.substr(at_ + 1, close - at_ - 1)).empty()) at_ = close + 1;
      skip_lines();
      begin_command(true);
    } else if (text == "coproc") {
      give_up();  // a name or a command follows
    } else if (text == "!" || text == "time") {
      skip_gaps();
      while (starts("-p ") || starts("-- ")) {
        at_ += 2;
        skip_gaps();
      }
      begin_command(true);
    } else if (std::ranges::find(kGoOn, text) != kGoOn.end()) {
      goes_on(text, place, base, depth);
    } else if (std::ranges::find(kClose, text) != kClose.end()) {
      closes(text, place, base, depth);
    }
  }

  bool loop_in_head(std::size_t base) const {
    return open_.size() > base && !open_.back().body && (open_.back().word == "for" || open_.back().word == "select");
  }

  /// `for NAME in a b`, `for NAME; do`, `for ((...))`.
  void loop_head() {
    skip_gaps();
    if (starts("((")) {
      skip_parens();
      return begin_command(true);
    }
    word();
    skip_lines();
    if (starts("in") && (at_ + 2 >= text_.size() || ends_plain_word(peek(2)))) {
      at_ += 2;
      head_ = false;
      return;
    }
    begin_command(true);
  }

  void case_head() {
    skip_gaps();
    word();
    skip_lines();
    if (!starts("in") || !ends_plain_word(peek(2))) return give_up();
    at_ += 2;
    pattern();
  }

  /// Past `a|b)`, or nothing where `esac` comes.
  void pattern() {
    skip_lines();
    if (over()) return;
    if (starts("esac") && (at_ + 4 >= text_.size() || ends_plain_word(peek(4)))) return begin_command(true);
    if (peek() == '(') ++at_;
    while (!over()) {
      skip_gaps();
      if (peek() == ')') {
        ++at_;
        return begin_command(true);
      }
      if (peek() == '|') {
        ++at_;
      } else if (ends_plain_word(peek())) {
        return give_up();
      } else {
        word();
      }
    }
  }

  bool belongs(std::string_view text, const Open& open) const {
    const bool loop = open.word == "for" || open.word == "select" || open.word == "while" || open.word == "until";
    if (text == "then") return open.word == "if" && !open.body;
    if (text == "do") return loop && !open.body;
    if (text == "done") return loop && open.body;
    if (text == "esac") return open.word == "case";
    if (text == "}") return open.word == "{";
    return open.word == "if" && open.body;  // else, elif, fi
  }

  bool fits(std::string_view text, std::uint32_t place, std::size_t base, int depth) {
    if (open_.size() > base && belongs(text, open_.back())) return true;
    if (depth > 0) {
      give_up();
      return false;
    }
    ShellBlockSlip slip{ShellBlockSlip::Kind::Unexpected, std::string(text), place, "", 0};
    if (!open_.empty()) {
      slip.open = open_.back().word;
      slip.open_begin = open_.back().begin;
    }
    slip_ = std::move(slip);
    give_up();
    return false;
  }

  void goes_on(std::string_view text, std::uint32_t place, std::size_t base, int depth) {
    if (!fits(text, place, base, depth)) return;
    open_.back().body = text != "elif";
    begin_command(true);
  }

  void closes(std::string_view text, std::uint32_t place, std::size_t base, int depth) {
    if (!fits(text, place, base, depth)) return;
    const std::optional<std::size_t> opened = indent_of(open_.back().begin);
    const std::optional<std::size_t> closed = indent_of(place);
    if (!closed_by_another_ && opened && closed && *opened > *closed) closed_by_another_ = open_.back();
    open_.pop_back();
    begin_command(true);
  }

  /// How far from the beginning of its line a word stands that is the first in it.
  std::optional<std::size_t> indent_of(std::uint32_t place) const {
    std::size_t line = place;
    while (line > 0 && is_gap(text_[line - 1])) --line;
    return line == 0 || text_[line - 1] == '\n' ? std::optional(place - line) : std::nullopt;
  }

  std::vector<Open> open_;
  std::vector<Heredoc> heredocs_;
  std::optional<ShellBlockSlip> slip_;
  std::optional<Open> closed_by_another_;  ///< the first whose end stands further to the left
  bool head_ = true;                       ///< a reserved word counts as one here
  bool conditional_ = false;               ///< the command may not run
  std::string first_;                      ///< of the command, if it is short
  int words_ = 0;
  int substitutions_ = 0;
};

}  // namespace

std::optional<ShellBlockSlip> shell_block_slip(std::string_view text) { return BlockReader(text).run(); }

std::string_view closing_word(std::string_view opening) {
  if (opening == "if") return "fi";
  if (opening == "case") return "esac";
  if (opening == "{") return "}";
  return opening == "(" ? ")" : "done";
}

}  // namespace muster
