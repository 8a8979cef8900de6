#include "kubernetes/value_reads.h"

#include <algorithm>

#include "base/strings.h"

namespace muster {

/// What stands between `{{` and `}}`.
struct ValueReads::Action {
  std::string_view text;  ///< the whole file
  FileId file = FileId::None;
  std::size_t begin = 0;
  std::size_t end = 0;
  bool live = true;  ///< no comment, of a template or of YAML
};

namespace {

constexpr std::string_view kValuesField = ".Values";
constexpr std::size_t kLongestOperand = 200;  // bytes before `.Values`
constexpr int kMostPathLevels = 32;           // of a path that is told apart
constexpr std::size_t kLongestLoop = 4000;    // bytes in which fields of its items are looked for

std::size_t skip_blanks(std::string_view text, std::size_t at, std::size_t end) {
  while (at < end && is_white(text[at])) ++at;
  return at;
}

/// The text in quotes that begins at `at`; nothing where none does.
std::string_view quoted_at(std::string_view text, std::size_t at, std::size_t end) {
  if (at >= end || (text[at] != '"' && text[at] != '`')) return {};
  const std::string_view rest = text.substr(at + 1, end - at - 1);
  const std::size_t close = rest.find(text[at]);
  return close == rest.npos ? std::string_view{} : rest.substr(0, close);
}

/// The word before an operand such as `$root.Values`, of which `at` is the dot.
std::string_view word_before(std::string_view text, std::size_t begin, std::size_t at) {
  begin = std::max(begin, at - std::min(at, kLongestOperand));
  while (at > begin && (is_word_char(text[at - 1]) || text[at - 1] == '.' || text[at - 1] == '$')) --at;
  while (at > begin && is_white(text[at - 1])) --at;
  std::size_t from = at;
  while (from > begin && (is_word_char(text[from - 1]) || text[from - 1] == '"')) --from;
  return text.substr(from, at - from);
}

ValueReads::Part& part_of(ValueReads::Part& part, std::string_view name) {
  std::unique_ptr<ValueReads::Part>& next = part.parts[name];
  if (next == nullptr) next = std::make_unique<ValueReads::Part>();
  return *next;
}

}  // namespace

void ValueReads::add(std::string_view text, FileId file) {
  std::size_t line = 0;  // where the line of the action begins, and where it ends
  std::size_t line_end = text.find('\n');
  for (std::size_t at = text.find("{{"); at != text.npos; at = text.find("{{", at)) {
    for (; line_end < at; line_end = text.find('\n', line)) line = line_end + 1;
    Action action{text, file, at + 2, 0, true};
    std::size_t body = action.begin + (text.substr(action.begin, 1) == "-" ? 1 : 0);
    body = skip_blanks(text, body, text.size());
    const bool comment = text.substr(body, 2) == "/*";
    action.end = text.find(comment ? "*/" : "}}", body + (comment ? 2 : 0));
    if (action.end == text.npos) return;
    const std::size_t shown = skip_blanks(text, line, at);
    action.live = !comment && text[shown] != '#';
    scan(action);
    at = action.end + 2;
  }
}

void ValueReads::add_path(std::string_view path) {
  Part* part = &values_;
  int level = 0;
  for (const std::string_view name : split(trim(path), '.')) {
    if (++level <= kMostPathLevels) part = &part_of(*part, name);
  }
  part->taken = true;
}

bool ValueReads::calls_unknown() const { return computes_name_ || !std::ranges::includes(defined_, called_); }

void ValueReads::scan(const Action& action) {
  const std::string_view text = action.text;
  char quote = 0;
  Action inner = action;
  for (std::size_t i = action.begin; i < action.end;) {
    const char c = text[i];
    if (text.substr(i, kValuesField.size()) == kValuesField) {
      inner.live = action.live && quote == 0;
      i = scan_values(inner, i);
      continue;
    }
    if (quote != 0) {
      if (c == '\\' && quote == '"') ++i;
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '`') {
      quote = c;
    } else if (is_word_char(c)) {
      const std::size_t begin = i;
      while (i < action.end && is_word_char(text[i])) ++i;
      if (begin == action.begin || (text[begin - 1] != '.' && text[begin - 1] != '$')) scan_word(action, begin, i);
      continue;
    }
    ++i;
  }
}

/// Source: helm/helm:pkg/engine/engine.go (3.19), `include` and `template` take the name first.
void ValueReads::scan_word(const Action& action, std::size_t begin, std::size_t end) {
  const std::string_view word = action.text.substr(begin, end - begin);
  const bool calls = word == "include" || word == "template";
  if (!calls && word != "define" && word != "block") return;
  const std::size_t at = skip_blanks(action.text, end, action.end);
  const std::string_view name = quoted_at(action.text, at, action.end);
  if (!calls) {
    defined_.insert(name);
  } else if (name.empty()) {
    computes_name_ |= action.live;
  } else if (action.live) {
    called_.insert(name);
  }
}

/// Whether the action is `range` over what is read from `at` to `stop`, without a key, or with fields of its items read
/// behind it.
bool ValueReads::loops_over_entries(const Action& action, std::size_t at, std::size_t stop) {
  constexpr std::string_view kRange = "range";
  std::string_view before = action.text.substr(action.begin, at - action.begin);
  if (before.starts_with('-')) before.remove_prefix(1);
  before = trim(before);
  std::string_view behind = action.text.substr(stop, action.end - stop);
  if (behind.ends_with('-')) behind.remove_suffix(1);
  if (!before.starts_with(kRange) || !trim(behind).empty()) return false;
  before.remove_prefix(kRange.size());
  if (before.ends_with('$')) before.remove_suffix(1);
  before = trim(before);
  if (!before.ends_with(":=")) return before.empty();
  before.remove_suffix(2);
  const std::size_t comma = before.find(',');
  if (comma == before.npos) return true;
  return contains(action.text.substr(stop, kLongestLoop), std::string(trim(before.substr(comma + 1))) + ".");
}

/// Takes `.Values` at `at` and returns where to go on.
std::size_t ValueReads::scan_values(const Action& action, std::size_t at) {
  const std::string_view text = action.text;
  std::size_t stop = at + kValuesField.size();
  if (stop < action.end && is_word_char(text[stop])) return stop;
  Part* part = &values_;
  int level = 0;
  const auto enter = [&](std::string_view name) {
    if (++level <= kMostPathLevels) part = &part_of(*part, name);
  };
  while (stop + 1 < action.end && text[stop] == '.' && is_word_char(text[stop + 1])) {
    std::size_t name_end = stop + 1;
    while (name_end < action.end && is_word_char(text[name_end])) ++name_end;
    enter(text.substr(stop + 1, name_end - stop - 1));
    stop = name_end;
  }
  const std::string_view before = word_before(text, action.begin, at);
  if (before == "index" || before == "get" || before == "hasKey") {
    for (std::size_t next = skip_blanks(text, stop, action.end);; next = skip_blanks(text, stop, action.end)) {
      const std::string_view name = quoted_at(text, next, action.end);
      if (name.empty()) break;
      enter(name);
      stop = next + name.size() + 2;
    }
  }
  // What is handed on under its own name is read as `.Values` again.
  if (part == &values_ && before == "\"Values\"") return stop;
  part->taken = true;
  part->entries = part->entries || loops_over_entries(action, at, stop);
  if (action.live && !part->where.placed())
    part->where = {action.file, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(stop)};
  return stop;
}

}  // namespace muster
