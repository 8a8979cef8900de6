#include "syntax/fill_template.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "base/strings.h"
#include "syntax/template_probe.h"

namespace muster {
namespace {

bool is_name(std::string_view text) {
  const bool starts = !text.empty() && (text.front() < '0' || text.front() > '9');
  return starts &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == text.npos;
}

/// What stands in `{{ }}` or `{% %}`, without the signs that take blanks away.
std::string_view inside(std::string_view text, const TemplateMark& mark) {
  std::string_view words = text.substr(mark.begin + 2, mark.end - mark.begin - 4);
  if (words.starts_with('-') || words.starts_with('~') || words.starts_with('+')) words.remove_prefix(1);
  if (words.ends_with('-') || words.ends_with('~') || words.ends_with('+')) words.remove_suffix(1);
  return trim(words);
}

std::string_view first_word(std::string_view text) { return text.substr(0, text.find_first_of(" \t\r\n(")); }

bool is_statement(std::string_view text, const TemplateMark& mark) { return text.substr(mark.begin).starts_with("{%"); }
bool is_value(std::string_view text, const TemplateMark& mark) { return text.substr(mark.begin).starts_with("{{"); }

/// A quoted text, a number, true or false.
std::optional<FilledValue> literal(std::string_view text) {
  text = trim(text);
  FilledValue out;
  if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front()) {
    out.text = text.substr(1, text.size() - 2);
    return out.text.find_first_of("\\'\"\n{}") == out.text.npos ? std::optional(out) : std::nullopt;
  }
  const std::string lower = to_lower(text);
  if (lower == "true" || lower == "false") {
    out.kind = FilledValue::Kind::Bool;
    out.text = lower == "true" ? "True" : "False";
    return out;
  }
  out.kind = FilledValue::Kind::Number;
  out.text = text;
  return parse_int(text) ? std::optional(out) : std::nullopt;
}

struct Condition {
  std::size_t open = 0;  ///< index of the mark
  std::optional<std::size_t> other;
  bool chain = false;  ///< elif
  bool is_if = false;
  std::vector<std::size_t> more;  ///< its elif
};

/// What a mark is to a condition that stays.
enum class Guard { None, Begins, Goes, Ends };

class Filler {
 public:
  Filler(std::string_view text, const FilledValues& values, const std::set<std::string>& open)
      : text_(text),
        values_(values),
        open_(open),
        marks_(template_marks(text)),
        skip_(marks_.size()),
        gone_(marks_.size()),
        guard_(marks_.size()) {
    for (const TemplateMark& mark : marks_) {
      if (is_statement(text_, mark)) note_bound(inside(text_, mark));
    }
  }

  FilledTemplate run() {
    take_sides();
    FilledTemplate out;
    std::size_t done = 0;
    for (std::size_t i = 0; i < marks_.size(); ++i) {
      const TemplateMark& mark = marks_[i];
      if (mark.begin < done) continue;
      note_guard(i);
      if (gone_[i]) {
        out.copy(text_, done, mark.begin);
        out.drop();
        done = skip_[i] > 0 ? skip_[i] : mark.end;
      } else if (const std::optional<FilledValue> value = value_of(mark)) {
        out.copy(text_, done, mark.begin);
        out.fill(*value, mark.begin, mark.end);
        done = mark.end;
      }
    }
    out.copy(text_, done, text_.size());
    return out;
  }

  std::vector<std::string> names() const {
    std::set<std::string> out;
    for (const TemplateMark& mark : marks_) {
      if (!is_value(text_, mark) && !is_statement(text_, mark)) continue;
      std::string_view words = inside(text_, mark);
      if (is_statement(text_, mark)) {
        if (first_word(words) != "if") continue;
        words = trim(words.substr(2));
        if (words.starts_with("not ")) words = trim(words.substr(4));
      }
      const std::string_view name = words.substr(0, words.find_first_of(" |=!\t"));
      if (is_name(name) && !bound_.contains(name)) out.emplace(name);
    }
    return {out.begin(), out.end()};
  }

 private:
  /// `for NAME, NAME in`, `set NAME =`
  void note_bound(std::string_view words) {
    const std::string_view word = first_word(words);
    if (word != "for" && word != "set") return;
    std::string_view rest = words.substr(3);
    rest = rest.substr(0, word == "for" ? rest.find(" in ") : rest.find('='));
    for (const std::string_view name : split(rest, ',')) bound_.emplace(trim(name));
  }

  /// Between a condition that nobody can judge and its end a variable that it asks for is what the condition lets it
  /// be: `{% if nodes | int > 0 %}` with `nodes: -1`.
  void note_guard(std::size_t i) {
    switch (guard_[i]) {
      case Guard::None: return;
      case Guard::Begins: asked_.emplace_back(); break;
      case Guard::Goes: break;
      case Guard::Ends:
        for (const std::string_view name : asked_.back()) --guarded_[name];
        asked_.pop_back();
        return;
    }
    constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    std::string_view words = inside(text_, marks_[i]);
    for (std::size_t at = words.find_first_of(kLetters); at != words.npos; at = words.find_first_of(kLetters)) {
      words.remove_prefix(at);
      const std::string_view name = words.substr(0, words.find_first_not_of(kLetters));
      asked_.back().push_back(name);
      ++guarded_[name];
      words.remove_prefix(name.size());
    }
  }

  const FilledValue* find(std::string_view name) const {
    const auto found = bound_.contains(name) ? values_.end() : values_.find(name);
    return found == values_.end() ? nullptr : &found->second;
  }

  std::optional<FilledValue> value_of(const TemplateMark& mark) const {
    if (!is_value(text_, mark)) return std::nullopt;
    const std::vector<std::string_view> parts = split(inside(text_, mark), '|');
    const std::string_view name = trim(parts.front());
    if (!is_name(name) || bound_.contains(name) || name.starts_with("ansible_")) return std::nullopt;
    if (const auto guarded = guarded_.find(name); guarded != guarded_.end() && guarded->second > 0) return std::nullopt;
    std::optional<FilledValue> out;
    if (const FilledValue* known = find(name)) out = *known;
    for (std::size_t i = 1; i < parts.size(); ++i) {
      const std::string_view filter = trim(parts[i]);
      const std::string_view word = filter.substr(0, filter.find('('));
      if (word == "default" || word == "d") {
        if (!out && !open_.contains(std::string(name))) out = default_of(filter);
      } else if (filter != "int" && filter != "string" && filter != "trim") {
        return std::nullopt;
      }
    }
    return out;
  }

  /// `default('x')`, `default(8, true)`
  static std::optional<FilledValue> default_of(std::string_view filter) {
    const std::size_t open = filter.find('(');
    if (open == filter.npos || !filter.ends_with(')')) return std::nullopt;
    std::string_view inner = filter.substr(open + 1, filter.size() - open - 2);
    for (const std::string_view more : {",true", ", true", ",True", ", True"}) {
      if (inner.ends_with(more)) inner.remove_suffix(more.size());
    }
    return literal(inner);
  }

  /// Whether a condition holds: `NAME`, `not NAME`, `NAME is defined`, `NAME == 'x'`.
  std::optional<bool> judge(std::string_view words) const {
    words = trim(words.substr(2));
    if (words.starts_with("not ")) {
      const std::optional<bool> inner = judge_plain(trim(words.substr(4)));
      return inner ? std::optional(!*inner) : std::nullopt;
    }
    return judge_plain(words);
  }

  std::optional<bool> judge_plain(std::string_view words) const {
    const std::string_view name = words.substr(0, words.find_first_of(" |=!\t"));
    const FilledValue* value = find(name);
    if (value == nullptr) return std::nullopt;
    const std::string_view rest = trim(words.substr(name.size()));
    if (rest.empty()) return truth(*value);
    if (rest == "| bool" || rest == "|bool") return asked_bool(*value);
    if (rest == "is defined") return true;
    if (rest == "is not defined") return false;
    if (!rest.starts_with("==") && !rest.starts_with("!=")) return std::nullopt;
    const std::optional<FilledValue> other = literal(rest.substr(2));
    if (!other || other->kind != value->kind) return std::nullopt;
    return (other->text == value->text) == rest.starts_with("==");
  }

  static bool truth(const FilledValue& value) {
    switch (value.kind) {
      case FilledValue::Kind::Text: return !value.text.empty();
      case FilledValue::Kind::Number: return value.text != "0";
      case FilledValue::Kind::Bool: return value.text == "True";
    }
    return false;
  }

  static std::optional<bool> asked_bool(const FilledValue& value) {
    const std::string lower = to_lower(value.text);
    constexpr std::array<std::string_view, 5> kYes{"true", "yes", "on", "1", "y"};
    return std::ranges::find(kYes, lower) != kYes.end();
  }

  void take_sides() {
    std::vector<Condition> open;
    for (std::size_t i = 0; i < marks_.size(); ++i) {
      if (!is_statement(text_, marks_[i])) continue;
      const std::string_view words = inside(text_, marks_[i]);
      const std::string_view word = first_word(words);
      constexpr std::array<std::string_view, 7> kOthers{"block", "call", "filter", "for", "macro", "raw", "with"};
      if (word == "if") {
        open.push_back({i, std::nullopt, false, true, {}});
      } else if (std::ranges::find(kOthers, word) != kOthers.end()) {
        open.push_back({i, std::nullopt, false, false, {}});
      } else if (open.empty()) {
        continue;
      } else if (word == "elif") {
        open.back().chain = true;
        open.back().more.push_back(i);
      } else if (word == "else") {
        open.back().other = i;
      } else if (word.starts_with("end")) {
        close(open.back(), i);
        open.pop_back();
      }
    }
  }

  void close(const Condition& one, std::size_t end) {
    if (!one.is_if) return;
    const std::optional<bool> holds = one.chain ? std::nullopt : judge(inside(text_, marks_[one.open]));
    if (!holds) {
      guard_[one.open] = Guard::Begins;
      guard_[end] = Guard::Ends;
      for (const std::size_t i : one.more) guard_[i] = Guard::Goes;
      return;
    }
    gone_[one.open] = gone_[end] = true;
    if (one.other) gone_[*one.other] = true;
    const std::size_t middle = one.other.value_or(end);
    if (*holds && one.other) skip_[*one.other] = marks_[end].end;
    if (!*holds) skip_[one.open] = marks_[middle].end;
  }

  std::string_view text_;
  const FilledValues& values_;
  const std::set<std::string>& open_;
  std::vector<TemplateMark> marks_;
  std::vector<std::size_t> skip_;  ///< of a mark that is gone: where the text goes on
  std::vector<bool> gone_;
  std::vector<Guard> guard_;
  std::vector<std::vector<std::string_view>> asked_;      ///< of the open conditions that stay: names they ask for
  std::map<std::string_view, int, std::less<>> guarded_;  ///< how many of those ask for a name
  std::set<std::string, std::less<>> bound_;              ///< names of loops and of set
};

}  // namespace

void FilledTemplate::copy(std::string_view from, std::size_t begin, std::size_t end) {
  if (begin >= end) return;
  pieces_.push_back({text.size(), begin, end, true, {}});
  text += from.substr(begin, end - begin);
}

void FilledTemplate::fill(const FilledValue& value, std::size_t begin, std::size_t end) {
  changed_ = true;
  pieces_.push_back({text.size(), begin, end, false, value.where});
  text += value.text;
}

const FilledTemplate::Piece* FilledTemplate::piece_at(std::size_t at) const {
  const auto after = std::ranges::upper_bound(pieces_, at, {}, &Piece::out);
  return after == pieces_.begin() ? nullptr : &*std::prev(after);
}

Span FilledTemplate::source_of(FileId file, std::size_t begin, std::size_t end) const {
  const Piece* first = piece_at(begin);
  const Piece* last = piece_at(end > begin ? end - 1 : begin);
  if (first == nullptr || last == nullptr) return {file, 0, 0};
  const std::size_t from = first->copied ? first->begin + (begin - first->out) : first->begin;
  const std::size_t to = last->copied ? last->begin + (end - last->out) : last->end;
  return {file, static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(std::max(from, to))};
}

Span FilledTemplate::value_at(std::size_t begin, std::size_t end) const {
  const Piece* piece = begin < end ? piece_at(begin) : nullptr;
  if (piece == nullptr || piece->copied || piece->out != begin || piece_at(end - 1) != piece) return {};
  const std::size_t next = static_cast<std::size_t>(piece - pieces_.data()) + 1;
  const std::size_t stop = next < pieces_.size() ? pieces_[next].out : text.size();
  return stop == end ? piece->where : Span{};
}

std::vector<std::string> names_taken_by(std::string_view text) {
  const FilledValues none;
  const std::set<std::string> open;
  return Filler(text, none, open).names();
}

FilledTemplate fill_template(std::string_view text, const FilledValues& values, const std::set<std::string>& open) {
  return Filler(text, values, open).run();
}

bool read_filled_value(std::string_view scalar, FilledValue& out) {
  if (contains(scalar, "{{") || contains(scalar, "{%")) return false;
  if (!scalar.empty() && (scalar.front() == '"' || scalar.front() == '\'')) {
    const std::size_t end = scalar.find(scalar.front(), 1);
    if (end == scalar.npos) return false;
    const std::string_view behind = trim(scalar.substr(end + 1));
    out.text = scalar.substr(1, end - 1);
    return (behind.empty() || behind.starts_with('#')) && out.text.find('\\') == out.text.npos;
  }
  scalar = trim(scalar.substr(0, scalar.find(" #")));
  if (scalar.empty() || contains("[{|>&*!%@`~#", scalar.substr(0, 1)) || contains(scalar, ": ")) return false;
  const std::string lower = to_lower(scalar);
  if (lower == "null") return false;
  const bool yes = lower == "yes" || lower == "true" || lower == "on";
  const bool no = lower == "no" || lower == "false" || lower == "off";
  out.kind = yes || no           ? FilledValue::Kind::Bool
             : parse_int(scalar) ? FilledValue::Kind::Number
                                 : FilledValue::Kind::Text;
  out.text = yes ? "True" : no ? "False" : std::string(scalar);
  return true;
}

}  // namespace muster
