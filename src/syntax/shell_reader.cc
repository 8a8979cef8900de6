#include "syntax/shell_reader.h"

#include <algorithm>
#include <array>

#include "base/strings.h"

namespace muster {
namespace {

bool is_shell_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

bool ends_word(char c) { return is_shell_blank(c) || contains("\n;&|()<>", std::string_view(&c, 1)); }

/// `2` of `2>file`, and `{lock}` of `{lock}>file`, whose number bash takes.
bool is_shell_descriptor(std::string_view word) {
  if (word.starts_with('{') && word.ends_with('}')) return is_shell_name(word.substr(1, word.size() - 2));
  return !word.empty() && std::ranges::all_of(word, is_digit);
}

class ShellReader {
 public:
  explicit ShellReader(std::string_view text) : text_(text) {}

  std::vector<ShellCommand> run() {
    while (at_ < text_.size() && commands_.size() < kMostShellCommands) step();
    end_command();
    return std::move(commands_);
  }

 private:
  enum class Frame { If, Case, Loop, Function, Group, Paren };
  struct Open {
    Frame frame;
    bool inside = false;    ///< behind `then` or `do`; of ( ) and { }: behind || or &&
    bool pattern = false;   ///< of a case: a pattern comes next
    bool round = false;     ///< ends with `)`
    bool piped = false;     ///< behind `|`
    std::size_t first = 0;  ///< of the commands in it
  };
  struct HereDocument {
    std::string word;
    bool tabs = false;
  };

  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  bool starts(std::string_view what) const { return text_.substr(at_).starts_with(what); }

  void step() {
    if (current_.words.empty() && !open_.empty() && open_.back().pattern) return read_pattern();
    const char c = peek();
    if (is_shell_blank(c)) {
      ++at_;
    } else if (continuation() > 0) {
      at_ += continuation();
    } else if (c == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (c == '\n') {
      end_command();
      ++at_;
      skip_here_documents();
    } else if (c == ';' || c == '&' || c == '|') {
      read_operator();
    } else if (c == '(' || c == ')') {
      read_paren();
    } else if (c == '<' || c == '>') {
      read_redirection();
    } else {
      take_word(read_word());
    }
  }

  std::size_t continuation() const {
    if (peek() != '\\') return 0;
    if (peek(1) == '\n') return 2;
    return peek(1) == '\r' && peek(2) == '\n' ? 3 : 0;
  }

  void read_operator() {
    const bool doubled = peek() == peek(1);
    const char c = peek();
    if (c == '&' && peek(1) == '>') return read_redirection();
    if (c == '&' && !doubled) current_.background = true;
    const bool pipe = c == '|' && !doubled;
    current_.subshell = current_.subshell || pipe;
    if (pipe && current_.words.empty()) {
      for (std::size_t i = closed_from_; i < commands_.size(); ++i) commands_[i].subshell = true;
    }
    end_command();
    behind_condition_ = doubled && c != ';';
    behind_pipe_ = pipe;
    const std::size_t ends_case = case_item_end();
    if (ends_case > 0 && !open_.empty() && open_.back().frame == Frame::Case) open_.back().pattern = true;
    at_ += ends_case > 0 ? ends_case : doubled ? 2 : 1;
  }

  /// How long the `;;`, `;&` or `;;&` is that stands here; 0: none does.
  std::size_t case_item_end() const {
    if (starts(";;&")) return 3;
    return starts(";;") || starts(";&") ? 2 : 0;
  }

  void read_paren() {
    if (peek() == ')') {
      end_command();
      if (!open_.empty() && open_.back().round) open_.pop_back();
      ++at_;
      return;
    }
    const bool for_loop = current_.words.size() == 1 && is_bare(current_.words.front(), "for");
    if (peek(1) == '(' && (current_.words.empty() || for_loop)) {
      at_ = std::min(text_.find("))", at_), text_.size() - 2) + 2;
      return;
    }
    const std::size_t close = text_.find_first_not_of(" \t", at_ + 1);
    const bool named = current_.words.size() == 1 || (current_.words.empty() && function_next_);
    if (named && close != text_.npos && text_[close] == ')') {
      current_ = {};
      function_next_ = true;
      at_ = close + 1;
      return;
    }
    if (current_.words.empty()) open(function_next_ ? Frame::Function : Frame::Paren, true);
    ++at_;
  }

  void read_redirection() {
    if (!current_.words.empty() && current_.words.back().end == at_) {
      if (is_shell_descriptor(word_text(current_.words.back()))) current_.words.pop_back();
    }
    if (starts("<<<")) {
      at_ += 3;
      drop_next_ = true;
    } else if (starts("<<")) {
      at_ += 2;
      HereDocument document;
      document.tabs = peek() == '-';
      if (document.tabs) ++at_;
      while (is_shell_blank(peek())) ++at_;
      document.word = word_text(read_word());
      current_.here_document = true;
      if (!document.word.empty()) here_documents_.push_back(std::move(document));
    } else if (peek(1) == '(') {  // a file name that stands for a command
      ++at_;
      skip_parens();
    } else {
      while (contains("<>&|", std::string_view(&text_[at_], 1)) && ++at_ < text_.size()) {
      }
      drop_next_ = true;
    }
  }

  void skip_here_documents() {
    for (const HereDocument& document : here_documents_) {
      while (at_ < text_.size()) {
        const std::size_t end = std::min(text_.find('\n', at_), text_.size());
        std::string_view line = text_.substr(at_, end - at_);
        at_ = std::min(end + 1, text_.size());
        while (document.tabs && line.starts_with('\t')) line.remove_prefix(1);
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (line == document.word) break;
      }
    }
    here_documents_.clear();
  }

  /// `a|b)` of a case; `esac` ends it.
  void read_pattern() {
    while (at_ < text_.size() && (is_shell_blank(peek()) || peek() == '\n')) ++at_;
    if (peek() == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());
      return;
    }
    const bool over = starts("esac") && !is_word_char(peek(4));
    const std::size_t close = over ? at_ : end_of_pattern();
    if (over || close == text_.size() || text_[close] == '\n') {
      at_ = over ? at_ + 4 : at_;
      open_.pop_back();
      return;
    }
    open_.back().pattern = false;
    at_ = close + 1;
  }

  /// The `)` behind a pattern, or the end of its line; what is quoted is neither, nor is a line that goes on.
  std::size_t end_of_pattern() const {
    char quote = 0;
    std::size_t at = at_;
    for (; at < text_.size(); ++at) {
      const char c = text_[at];
      if (c == '\\' && quote != '\'') {
        at += text_.substr(at + 1).starts_with("\r\n") ? 2 : 1;
      } else if (quote != 0) {
        if (c == quote) quote = 0;
      } else if (c == '\'' || c == '"') {
        quote = c;
      } else if (c == ')' || c == '\n') {
        break;
      }
    }
    return std::min(at, text_.size());
  }

  void end_command() {
    if (!current_.words.empty()) {
      for (const Open& open : open_) {
        const bool conditional = open.frame == Frame::If || open.frame == Frame::Group || open.frame == Frame::Paren;
        current_.branch = current_.branch || open.frame == Frame::Case || (conditional && open.inside);
        current_.loop = current_.loop || (open.frame == Frame::Loop && open.inside);
        current_.function = current_.function || open.frame == Frame::Function;
        current_.subshell = current_.subshell || open.frame == Frame::Paren || open.piped;
      }
      if (is_bare(current_.words.front(), "case") && open_.size() < kDeepest)
        open_.push_back({Frame::Case, true, true, false, behind_pipe_, commands_.size()});
      commands_.push_back(std::move(current_));
      behind_condition_ = false;
      behind_pipe_ = false;
    }
    current_ = {};
    drop_next_ = false;
  }

  void take_word(ShellWord word) {
    if (drop_next_) {
      drop_next_ = false;
      return;
    }
    const std::string text = word_text(word);
    if (current_.words.empty() && reserved(text)) return;
    const bool case_begins = text == "in" && current_.words.size() >= 2 && is_bare(current_.words.front(), "case");
    if (current_.words.empty()) {
      current_.branch = behind_condition_;
      current_.subshell = behind_pipe_;
      closed_from_ = kNowhere;
    }
    current_.words.push_back(std::move(word));
    if (case_begins) end_command();
  }

  /// Words that begin or end what holds other commands.
  bool reserved(std::string_view text) {
    if (text == "if") return open(Frame::If);
    if (text == "while" || text == "until") return open(Frame::Loop);
    if (text == "for" || text == "select") {
      open(Frame::Loop);
      return false;
    }
    if (text == "{") return open(function_next_ ? Frame::Function : Frame::Group);
    if (text == "then" || text == "do") {
      if (!open_.empty()) open_.back().inside = true;
      return true;
    }
    if (text == "function") {
      while (is_shell_blank(peek())) ++at_;
      read_word();
      function_next_ = true;
      return true;
    }
    if (text == "fi") return close(Frame::If);
    if (text == "done") return close(Frame::Loop);
    if (text == "esac") return close(Frame::Case);
    if (text == "}") return close(Frame::Group);
    return text == "else" || text == "elif" || text == "!" || text == "time";
  }

  bool open(Frame frame, bool round = false) {
    const bool behind = behind_condition_ && (frame == Frame::Group || frame == Frame::Paren);
    if (open_.size() < kDeepest) open_.push_back({frame, behind, false, round, behind_pipe_, commands_.size()});
    if (frame == Frame::Function) function_next_ = false;
    return true;
  }
  bool close(Frame frame) {
    const bool function = frame == Frame::Group && !open_.empty() && open_.back().frame == Frame::Function;
    if (!open_.empty() && (open_.back().frame == frame || function)) {
      closed_from_ = open_.back().first;
      open_.pop_back();
    }
    return true;
  }

  /// A word that is written as it is, without quotes. Costs nothing, however long the word is.
  static bool is_bare(const ShellWord& word, std::string_view text) {
    return word.end - word.begin == text.size() && word_text(word) == text;
  }

  /// Text of a word that has nothing but text, its quotes resolved; empty for others.
  static std::string word_text(const ShellWord& word) {
    std::string text;
    for (const ShellPart& part : word.parts) {
      if (part.kind != ShellPart::Kind::Text) return "";
      text += part.text;
    }
    return text;
  }

  /// `whole`: the items of NAME=(...) belong to it.
  ShellWord read_word(bool whole = true) {
    ShellWord word;
    word.begin = static_cast<std::uint32_t>(at_);
    while (at_ < text_.size() && !ends_word(peek())) {
      if (continuation() > 0) {
        at_ += continuation();
      } else if (peek() == '\'') {
        read_single(word);
      } else if (peek() == '"') {
        read_double(word);
      } else if (peek() == '\\') {
        ++at_;
        if (at_ < text_.size()) add_text(word, true);
      } else {
        read_piece(word, false);
      }
      if (whole && peek() == '(' && is_assignment_head(word)) {
        read_items(word);
        break;
      }
    }
    word.end = static_cast<std::uint32_t>(at_);
    if (word.begin == word.end) ++at_;  // never stand still
    return word;
  }

  static bool is_assignment_head(const ShellWord& word) {
    if (word.parts.size() != 1 || word.parts.front().kind != ShellPart::Kind::Text) return false;
    std::string_view name = word.parts.front().text;
    if (!name.ends_with('=')) return false;
    name.remove_suffix(1);
    if (name.ends_with('+')) name.remove_suffix(1);
    return is_shell_name(name);
  }

  void read_items(ShellWord& word) {
    ++at_;
    while (at_ < text_.size() && peek() != ')') {
      if (is_shell_blank(peek()) || peek() == '\n') {
        ++at_;
      } else if (continuation() > 0) {
        at_ += continuation();
      } else if (peek() == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (contains(";&|(<>", text_.substr(at_, 1))) {
        ++at_;
      } else {
        word.items.push_back(read_word(false));  // arrays hold no arrays
      }
    }
    if (at_ < text_.size()) ++at_;
    if (word.items.empty()) word.items.emplace_back();
  }

  void add_text(ShellWord& word, bool quoted) {
    const auto offset = static_cast<std::uint32_t>(at_);
    ShellPart* last = word.parts.empty() ? nullptr : &word.parts.back();
    if (last == nullptr || last->kind != ShellPart::Kind::Text || last->quoted != quoted ||
        last->offset + last->text.size() != offset) {
      word.parts.push_back({ShellPart::Kind::Text, "", "", quoted, offset});
      last = &word.parts.back();
    }
    last->text += text_[at_++];
  }

  void read_single(ShellWord& word) {
    ++at_;
    word.parts.push_back({ShellPart::Kind::Text, "", "", true, static_cast<std::uint32_t>(at_)});
    while (at_ < text_.size() && peek() != '\'') add_text(word, true);
    if (at_ < text_.size()) ++at_;
  }

  void read_double(ShellWord& word) {
    ++at_;
    word.parts.push_back({ShellPart::Kind::Text, "", "", true, static_cast<std::uint32_t>(at_)});
    while (at_ < text_.size() && peek() != '"') {
      if (continuation() > 0) {
        at_ += continuation();
      } else if (peek() == '\\' && at_ + 1 < text_.size() && contains("$`\"\\", text_.substr(at_ + 1, 1))) {
        ++at_;
        add_text(word, true);
      } else {
        read_piece(word, true);
      }
    }
    if (at_ < text_.size()) ++at_;
  }

  /// One character, or something that the shell puts a value for.
  void read_piece(ShellWord& word, bool quoted) {
    using Kind = ShellPart::Kind;
    const auto begin = static_cast<std::uint32_t>(at_);
    const auto add = [&](Kind kind, std::string_view text, std::string_view rest = {}) {
      word.parts.push_back({kind, std::string(text), std::string(rest), quoted, begin});
    };
    if (peek() == kEvaluatedBegin) {
      const std::size_t end = std::min(text_.find(kEvaluatedEnd, at_), text_.size());
      add(Kind::Evaluated, text_.substr(at_ + 1, end - at_ - 1));
      at_ = std::min(end + 1, text_.size());
    } else if (peek() == '`') {
      const std::size_t end = std::min(text_.find('`', at_ + 1), text_.size());
      add(Kind::Command, text_.substr(at_ + 1, end - at_ - 1));
      at_ = std::min(end + 1, text_.size());
    } else if (peek() != '$') {
      add_text(word, quoted);
    } else if (starts("$((")) {
      ++at_;
      const std::string_view inner = skip_parens();
      add(Kind::Arithmetic, inner.size() >= 2 ? inner.substr(1, inner.size() - 2) : inner);
    } else if (starts("$(")) {
      ++at_;
      add(Kind::Command, skip_parens());
    } else if (starts("${")) {
      at_ += 2;
      const std::size_t name = at_;
      while (at_ < text_.size() && is_word_char(peek())) ++at_;
      const std::size_t rest = at_;
      skip_braces();
      const std::size_t end = at_;
      if (at_ < text_.size()) ++at_;
      add(Kind::Variable, text_.substr(name, rest - name), text_.substr(rest, end - rest));
    } else if (!quoted && (peek(1) == '\'' || peek(1) == '"')) {
      ++at_;
    } else {
      std::size_t end = at_ + 1;
      while (end < text_.size() && is_word_char(text_[end]) && (end == at_ + 1 || !is_digit(text_[at_ + 1]))) ++end;
      if (end == at_ + 1 && end < text_.size() && contains("@*#?$!-", text_.substr(end, 1))) ++end;
      if (end == at_ + 1) return add_text(word, quoted);
      add(Kind::Variable, text_.substr(at_ + 1, end - at_ - 1));
      at_ = end;
    }
  }

  /// Past `( ... )` with what is nested and quoted; what stands within.
  std::string_view skip_parens() {
    const std::size_t begin = at_ + 1;
    int depth = 0;
    char quote = 0;
    for (; at_ < text_.size(); ++at_) {
      const char c = peek();
      if (c == '\\' && quote != '\'') {
        ++at_;
      } else if (quote != 0) {
        if (c == quote) quote = 0;
      } else if (c == '\'' || c == '"') {
        quote = c;
      } else if (c == '(') {
        ++depth;
      } else if (c == ')' && --depth == 0) {
        ++at_;
        return text_.substr(begin, at_ - 1 - begin);
      }
    }
    at_ = text_.size();
    return text_.substr(std::min(begin, at_));
  }

  void skip_braces() {
    int depth = 0;
    for (; at_ < text_.size(); ++at_) {
      if (peek() == '\\') {
        at_ = std::min(at_ + 1, text_.size() - 1);
      } else if (peek() == '{') {
        ++depth;
      } else if (peek() == '}' && depth-- == 0) {
        return;
      }
    }
  }

  static constexpr std::size_t kDeepest = 64;
  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<ShellCommand> commands_;
  ShellCommand current_;
  std::vector<Open> open_;
  std::vector<HereDocument> here_documents_;
  bool behind_condition_ = false;
  bool behind_pipe_ = false;
  std::size_t closed_from_ = kNowhere;  ///< the first command of what was closed right before
  bool drop_next_ = false;              ///< a redirection's file comes next
  bool function_next_ = false;          ///< `name()` was read
};

}  // namespace

bool ends_script(const ShellCommand& command) {
  const bool surely = surely_runs(command);
  const std::string_view first = plain_text(command.words.front());
  return surely && (first == "exit" || (first == "exec" && command.words.size() > 1));
}

std::string_view assigned_name(const ShellWord& word) {
  if (word.parts.empty() || word.parts[0].kind != ShellPart::Kind::Text) return {};
  const std::string_view text = word.parts[0].text;
  const std::size_t sign = text.find('=');
  return sign != text.npos && is_shell_name(text.substr(0, sign)) ? text.substr(0, sign) : std::string_view();
}

std::vector<ShellCommand> read_shell(std::string_view text) { return ShellReader(text).run(); }

}  // namespace muster
