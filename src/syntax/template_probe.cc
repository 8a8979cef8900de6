#include "syntax/template_probe.h"

#include <algorithm>
#include <array>

#include "base/strings.h"

namespace muster {
namespace {

/// What the text of a line before a place says about that place. Places are asked for from left to right.
class Before {
 public:
  explicit Before(std::string_view line) : line_(line) {}

  /// An open quote: `"a {{ b }}"` is a value, not a template.
  bool inside_quotes(std::size_t at) {
    read_to(at);
    return quote_ != 0;
  }
  bool is_value_position(std::size_t at) {
    read_to(at);
    return last_ == 0 || std::string_view(":=-[,").find(last_) != std::string_view::npos;
  }

 private:
  void read_to(std::size_t at) {
    for (; at_ < at; ++at_) {
      const char c = line_[at_];
      if (quote_ == 0 && (c == '"' || c == '\'')) {
        quote_ = c;
      } else if (quote_ != 0 && c == quote_) {
        quote_ = 0;
      }
      if (c != ' ' && c != '\t' && c != '\r') last_ = c;
    }
  }

  std::string_view line_;
  std::size_t at_ = 0;
  char quote_ = 0;
  char last_ = 0;  ///< the last character that is not a blank
};

std::size_t name_size(std::string_view text) {
  const bool starts =
      !text.empty() && ((text[0] >= 'A' && text[0] <= 'Z') || (text[0] >= 'a' && text[0] <= 'z') || text[0] == '_');
  return starts ? std::min(text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"),
                           text.size())
                : 0;
}

/// `@NAME@` and `@@NAME@@` as a value, which no YAML is: no plain scalar begins with @.
bool has_value_between_ats(std::string_view line) {
  Before before(line);
  for (std::size_t at = line.find('@'); at != line.npos; at = line.find('@', at + 1)) {
    if (!before.is_value_position(at) || before.inside_quotes(at)) continue;
    const std::string_view ats = line.substr(at).starts_with("@@") ? "@@" : "@";
    const std::string_view name = line.substr(at + ats.size());
    if (name_size(name) > 0 && name.substr(name_size(name)).starts_with(ats)) return true;
    at += ats.size() - 1;
  }
  return false;
}

/// `image: tool:{{workflow.parameters.tag}}` is plain YAML. Source: argo-workflows, docs/variables.md (3.7).
bool continues_value_by_argo(std::string_view line, std::size_t at) {
  constexpr std::array<std::string_view, 6> kRoots{"workflow.", "inputs.", "outputs.", "steps.", "tasks.", "="};
  const std::string_view name = trim(line.substr(at + 2));
  return at > 0 && std::string_view(" \t[{,'\"").find(line[at - 1]) == std::string_view::npos &&
         std::ranges::any_of(kRoots, [&](std::string_view root) { return name.starts_with(root); });
}

std::optional<TemplateKind> probe_line(std::string_view line) {
  const std::string_view words = trim(line);
  if (words.starts_with('#') && !words.starts_with("#SBATCH")) return std::nullopt;
  if (words.starts_with("{%")) return TemplateKind::Jinja;
  if (words.starts_with("<%") || contains(words, "<%=")) return TemplateKind::Erb;
  if (words.starts_with("%{")) return TemplateKind::Terraform;
  const std::string_view name = words.size() > 2 ? words.substr(1, words.size() - 2) : std::string_view{};
  const bool name_only =
      name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == name.npos;
  if (!name.empty() && words.front() == '{' && words.back() == '}' && name_only) return TemplateKind::Braces;
  const std::size_t last_close = words.starts_with("{{") ? line.size() : line.rfind("}}");
  Before before_braces(line);
  for (std::size_t at = line.find("{{"); at != line.npos && last_close != line.npos && at < last_close;
       at = line.find("{{", at + 2)) {
    if (continues_value_by_argo(line, at)) continue;
    if (before_braces.is_value_position(at) && !before_braces.inside_quotes(at)) return TemplateKind::DoubleBraces;
  }
  const std::size_t last_end = line.rfind("%}");
  Before before_statement(line);
  for (std::size_t at = line.find("{%"); at != line.npos && last_end != line.npos && at < last_end;
       at = line.find("{%", at + 2)) {
    if (!before_statement.inside_quotes(at)) return TemplateKind::Jinja;
  }
  if (has_value_between_ats(line)) return TemplateKind::Marks;
  return std::nullopt;
}

/// `chat_template: |` or `- >-`: the lines below it that are indented further are a value.
bool opens_block_scalar(std::string_view line) {
  const std::string_view words = trim(line.substr(0, line.find(" #")));
  const std::size_t mark = words.find_last_not_of("0123456789+-");
  if (mark == words.npos || mark < 2 || (words[mark] != '|' && words[mark] != '>')) return false;
  return words[mark - 1] == ' ' && (words[mark - 2] == ':' || words[mark - 2] == '-');
}

struct Mark {
  std::size_t size = 0;  ///< bytes from the place on; 0: there is none
  TemplateKind kind = TemplateKind::Marks;
  bool value = true;  ///< stands for a text; else a statement or a comment
};

constexpr std::size_t kMaxMark = 4000;  // bytes of one; also bounds the search for its end

/// What begins with `open` and goes on to the first `close`.
std::size_t enclosed_size(std::string_view text, std::string_view open, std::string_view close) {
  if (!text.starts_with(open)) return 0;
  const std::size_t end = text.substr(0, kMaxMark).find(close, open.size());
  return end == text.npos ? 0 : end + close.size();
}

/// `<cores per socket>` as a value: Slurm would end it at the blank.
std::size_t described_size(std::string_view text) {
  if (name_size(text.substr(1)) == 0) return 0;
  const std::size_t end = text.find_first_of(">=\"'\n");
  const bool blank = end != text.npos && contains(text.substr(0, end), " ");
  return blank && text[end] == '>' ? end + 1 : 0;
}

/// The mark that stands at the beginning of `text`.
Mark mark_at(std::string_view text) {
  if (const std::size_t size = enclosed_size(text, "{{", "}}"); size > 0) {
    return {size + (text.substr(size).starts_with('}') ? 1 : 0), TemplateKind::DoubleBraces};
  }
  if (const std::size_t size = enclosed_size(text, "{%", "%}"); size > 0) return {size, TemplateKind::Jinja, false};
  if (const std::size_t size = enclosed_size(text, "{#", "#}"); size > 0) return {size, TemplateKind::Jinja, false};
  if (const std::size_t size = enclosed_size(text, "<%", "%>"); size > 0)
    return {size, TemplateKind::Erb, text.substr(2).starts_with('=')};
  if (const std::size_t size = enclosed_size(text, "%{", "}"); size > 0) return {size, TemplateKind::Terraform, false};
  if (text.starts_with("${") && name_size(text.substr(2)) > 0) return {enclosed_size(text, "${", "}")};
  if (const std::size_t size = name_size(text.substr(1)); size > 0) {
    const std::string_view behind = text.substr(1 + size);
    if (text.front() == '{' && behind.starts_with('}')) return {size + 2, TemplateKind::Braces};
    if (text.front() == '@' && behind.starts_with('@')) return {size + 2};
  }
  if (text.starts_with("__")) {
    const std::size_t size = name_size(text);
    const std::string_view word = text.substr(0, size);
    const bool loud = word.find_first_of("abcdefghijklmnopqrstuvwxyz") == word.npos &&
                      word.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") != word.npos;
    if (loud && size > 4 && word.ends_with("__")) return {size};
  }
  return {};
}

/// `#INSTALL_PATH` right behind other text: Slurm would begin a comment there, and a note begins with a blank.
std::size_t hashed_size(std::string_view text, std::size_t at) {
  if (at == 0 || contains(" \t\r\n#", text.substr(at - 1, 1))) return 0;
  const std::string_view word = text.substr(at + 1, name_size(text.substr(at + 1)));
  const bool loud = word.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == word.npos;
  constexpr std::array<std::string_view, 4> kNotes{"TODO", "FIXME", "NOTE", "TBD"};
  return loud && word.size() > 3 && std::ranges::find(kNotes, word) == kNotes.end() ? word.size() + 1 : 0;
}

/// The next mark outside of comments from `at` on, which moves to its beginning, or to the end.
Mark next_mark(std::string_view text, std::size_t& at) {
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (const std::size_t size = c == '#' ? hashed_size(text, at) : 0; size > 0) return {size};
    if (c == '#') {  // a comment to the line's end
      at = std::min(text.find('\n', at), text.size() - 1);
      continue;
    }
    const bool may_begin =
        c == '{' || c == '<' || c == '%' || c == '$' || c == '@' || (c == '_' && (at == 0 || text[at - 1] != '_'));
    if (!may_begin) continue;
    Mark mark = mark_at(text.substr(at));
    if (c == '<' && mark.size == 0 && at > 0 && text[at - 1] == '=') mark.size = described_size(text.substr(at));
    // `feature{h100}` is a function of Slurm's node lists.
    const bool function = mark.kind == TemplateKind::Braces && at > 0 && name_size(text.substr(at - 1, 1)) > 0;
    if (mark.size > 0 && !function) return mark;
  }
  return {};
}

bool is_filled_in(std::string_view line) { return line.find_first_not_of("X \t\r,-") == line.npos; }

}  // namespace

std::optional<TemplateKind> probe_conf_template(std::string_view text) {
  std::size_t at = 0;
  const Mark first = next_mark(text, at);
  if (first.size == 0) return std::nullopt;
  // What a statement shows says more than a place to fill in before it.
  for (Mark mark = first; mark.size > 0; mark = next_mark(text, at)) {
    if (mark.kind == TemplateKind::Jinja || mark.kind == TemplateKind::Erb || mark.kind == TemplateKind::Terraform)
      return mark.kind;
    at += mark.size;
  }
  return first.kind;
}

std::vector<TemplateMark> template_marks(std::string_view text) {
  std::vector<TemplateMark> out;
  std::size_t at = 0;
  for (Mark mark = next_mark(text, at); mark.size > 0; mark = next_mark(text, at)) {
    out.push_back({at, at + mark.size, mark.kind, mark.value});
    at += mark.size;
  }
  return out;
}

std::string without_template_marks(std::string_view text) {
  std::string out;
  std::size_t done = 0;
  bool marked = false;  // the line that is being written
  const auto finish_line = [&] {
    const std::size_t begin = out.rfind('\n') + 1;  // npos + 1 is 0
    if (marked && is_filled_in(std::string_view(out).substr(begin))) out.resize(begin);
    marked = false;
  };
  const auto copy = [&](std::string_view piece) {
    for (const char c : piece) {
      if (c == '\n') finish_line();
      out += c;
    }
  };
  for (std::size_t at = 0; at < text.size();) {
    const Mark mark = next_mark(text, at);
    copy(text.substr(done, at - done));
    if (mark.size == 0) break;
    marked = true;
    if (mark.value) out += 'X';
    for (const char c : text.substr(at, mark.size)) {
      if (c != '\n') continue;
      finish_line();
      out += c;
      marked = true;
    }
    at += mark.size;
    done = at;
  }
  finish_line();
  return out;
}

namespace {

/// The words of a statement, without the signs around them.
std::string_view words_of_statement(std::string_view mark) {
  std::string_view words = trim(mark.substr(2, mark.size() - 2));
  if (words.starts_with('-') || words.starts_with('~')) words = trim(words.substr(1));
  while (words.starts_with('}') && mark.starts_with("<%")) words = trim(words.substr(1));  // `<% } else { -%>`
  return words;
}

/// Of EPP and ERB, whose blocks may stand in braces: `<% $nodes.each |$n| { -%>` 1, `<% }} -%>` -2. Nothing where the
/// statement has none, or a map of its own.
std::optional<int> opened_by_braces(std::string_view mark) {
  std::string_view words = trim(mark.substr(2, mark.size() - 4));
  if (words.ends_with('-')) words = trim(words.substr(0, words.size() - 1));
  const std::string_view bare = words.starts_with('-') ? trim(words.substr(1)) : words;
  const std::size_t bar = words.ends_with('|') ? words.rfind('{') : words.npos;  // `nodes.each { |n|`
  const bool opens = words.ends_with('{') || (bar != words.npos && trim(words.substr(bar + 1)).starts_with('|'));
  if (!opens && !bare.starts_with('}')) return std::nullopt;
  int out = opens ? 1 : 0;
  for (const char c : bare.substr(0, bare.find_first_not_of("} "))) out -= c == '}' ? 1 : 0;
  return out;
}

std::string_view word_of_statement(std::string_view mark) {
  const std::string_view words = words_of_statement(mark);
  return words.substr(0, name_size(words));
}

/// By how much a statement changes the number of open ones: `{% if x %}` 1, `{% endif %}` -1, `{% else %}` 0, of EPP
/// also more than one.
int opened_by(std::string_view mark, TemplateKind kind) {
  const std::string_view words = words_of_statement(mark);
  const std::string_view word = word_of_statement(mark);
  if (mark.starts_with("{#") || mark.starts_with("<%=") || mark.starts_with("<%#")) return 0;
  if (kind == TemplateKind::Erb) {
    if (const std::optional<int> braces = opened_by_braces(mark)) return *braces;
  }
  if (word.starts_with("end")) return -1;
  constexpr std::string_view kOpening[] = {"block", "call",  "case", "define", "filter", "for",     "if",
                                           "macro", "range", "raw",  "unless", "while",  "foreach", "with"};
  if (std::ranges::find(kOpening, word) != std::end(kOpening)) return 1;
  // `<% nodes.each do |node| -%>`
  return kind == TemplateKind::Erb && (contains(words, " do ") || contains(words, " do|")) ? 1 : 0;
}

bool begins_other_side(std::string_view mark) { return word_of_statement(mark) == "else"; }

constexpr std::size_t kDeepestLoop = 100;  // statements within each other

bool opens_loop(std::string_view mark, TemplateKind kind) {
  const std::string_view words = words_of_statement(mark);
  const std::string_view word = word_of_statement(mark);
  if (word == "for" || word == "range" || word == "foreach" || word == "while") return true;
  return kind == TemplateKind::Erb &&
         (contains(words, ".each ") || contains(words, ".each_") || contains(words, ".each|") ||
          contains(words, ".map|") || contains(words, ".map |"));
}

/// Where the line goes on to that begins at `at`, with those that follow a `\`; behind its end.
std::size_t logical_line_end(std::string_view text, std::size_t at) {
  for (;;) {
    const std::size_t end = text.find('\n', at);
    if (end == text.npos) return text.size();
    const std::string_view line = trim(text.substr(at, end - at));
    if (!line.ends_with('\\')) return end + 1;
    at = end + 1;
  }
}

}  // namespace

namespace {

/// `Nodes=\` and below it `{% for ... %}`, of which nothing is left: the line goes on behind that.
bool goes_on_behind_statement(std::string_view logical_line) {
  while (!logical_line.empty() && is_white(logical_line.back())) logical_line.remove_suffix(1);
  const std::size_t last = logical_line.rfind('\n');
  return last != logical_line.npos && trim(logical_line.substr(last)).starts_with("{%") && logical_line.ends_with("%}");
}

}  // namespace

std::string literal_lines(std::string_view text) {
  std::string out(text);
  bool goes_on = false;
  const auto blank = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < std::min(end, out.size()); ++i) {
      if (out[i] != '\n' && out[i] != '\r') out[i] = ' ';
    }
  };
  int open = 0;
  std::size_t at = 0;
  Mark mark = next_mark(text, at);
  for (std::size_t line = 0; line < text.size();) {
    std::size_t end = logical_line_end(text, line);
    bool literal = open == 0 && !goes_on;
    for (; mark.size > 0 && at < end; mark = next_mark(text, at)) {
      literal = false;
      open += opened_by(text.substr(at, mark.size), mark.kind);
      at += mark.size;
      if (open < 0) return blank(0, out.size()), out;
      if (at > end) end = logical_line_end(text, at);  // a mark of several lines
    }
    if (!literal) blank(line, end);
    goes_on = !literal && goes_on_behind_statement(text.substr(line, end - line));
    line = end;
  }
  if (open != 0) blank(0, out.size());
  return out;
}

std::vector<std::pair<std::size_t, std::size_t>> looped_parts(std::string_view text) {
  std::vector<std::pair<std::size_t, std::size_t>> out;
  std::vector<bool> open;  // of each open statement: it is a loop
  std::size_t loops = 0;   // of the innermost statements that are open, one within the other, those that are loops
  std::size_t begin = 0;
  const auto note = [&](std::size_t end) {
    const auto first = std::ranges::find(open, true);
    const bool repeated = first != open.end() && static_cast<std::size_t>(open.end() - first) == loops;
    if (repeated && begin < end) out.emplace_back(begin, end);
  };
  for (const TemplateMark& mark : template_marks(text)) {
    note(mark.begin);
    begin = mark.end;
    const std::string_view words = text.substr(mark.begin, mark.end - mark.begin);
    const int change = opened_by(words, mark.kind);
    if (change > 0) open.push_back(opens_loop(words, mark.kind));
    if (static_cast<int>(open.size()) < -change || open.size() > kDeepestLoop) return {};
    if (change < 0) open.resize(open.size() - static_cast<std::size_t>(-change));
    // What stands behind the `else` of a loop is for no round at all.
    const bool other = change == 0 && !open.empty() && open.back() && begins_other_side(words);
    if (other) open.back() = false;
    if (change == 0 && !other) continue;
    loops = 0;
    for (std::size_t i = open.size(); i > 0 && open[i - 1]; --i) ++loops;
  }
  return open.empty() ? out : std::vector<std::pair<std::size_t, std::size_t>>{};
}

namespace {

/// `slurm_version is version('20.11', '<')`, `major < 21`, `legacy`
bool asks_for_release(std::string_view words) {
  const std::string lower = to_lower(words);
  constexpr std::array<std::string_view, 8> kWords{"version", "release", "major",    "legacy",
                                                   "compat",  "old",     "deprecat", "obsolete"};
  const bool named = std::ranges::any_of(kWords, [&](std::string_view word) { return contains(lower, word); });
  const auto digit = [&](std::size_t at) { return at < lower.size() && lower[at] >= '0' && lower[at] <= '9'; };
  for (std::size_t dot = lower.find('.'); dot != lower.npos && !named; dot = lower.find('.', dot + 1)) {
    if (dot > 0 && digit(dot - 1) && digit(dot + 1)) return true;
  }
  return named;
}

bool is_condition(std::string_view words) {
  const std::string_view word = words.substr(0, name_size(words));
  return word == "if" || word == "unless" || word == "case" || word == "with";
}

/// `elif`, `elsif`, `else if`, `when`
bool asks_again(std::string_view words) {
  const std::string_view word = words.substr(0, name_size(words));
  return word == "elif" || word == "elsif" || word == "when" ||
         (word == "else" && trim(words.substr(4)).starts_with("if"));
}

}  // namespace

std::vector<ConditionalPart> conditional_parts(std::string_view text) {
  struct Open {
    bool condition = false;
    bool of_release = false;
  };
  std::vector<ConditionalPart> out;
  std::vector<Open> open;
  std::size_t conditions = 0, releases = 0;  // of the open ones
  std::size_t begin = 0;
  for (const TemplateMark& mark : template_marks(text)) {
    const std::string_view written = text.substr(mark.begin, mark.end - mark.begin);
    const int change = opened_by(written, mark.kind);
    if (mark.value && change == 0) continue;  // what a value is filled into goes on behind it
    if (conditions > 0 && begin < mark.begin) out.push_back({begin, mark.begin, releases > 0});
    begin = mark.end;
    const std::string_view words = mark.value || written.size() < 4 ? std::string_view() : words_of_statement(written);
    if (change > 0) {
      open.push_back({is_condition(words), is_condition(words) && asks_for_release(words)});
      conditions += open.back().condition ? 1 : 0;
      releases += open.back().of_release ? 1 : 0;
    } else if (change < 0) {
      for (int closed = 0; closed > change; --closed) {
        if (open.empty()) return {{0, text.size(), true}};
        conditions -= open.back().condition ? 1 : 0;
        releases -= open.back().of_release ? 1 : 0;
        open.pop_back();
      }
    } else if (!open.empty() && !open.back().of_release && asks_again(words) && asks_for_release(words)) {
      open.back().of_release = true;
      ++releases;
    }
  }
  if (!open.empty()) return {{0, text.size(), true}};
  return out;
}

namespace {

/// A file most often has none of `{{`, `{%`, `%{`, `<%`, ` @` and a line that begins with `{`: what is rare in each of
/// them is looked for, before any look at lines.
bool may_have_marks(std::string_view text) {
  const auto beside = [&](char mark, std::string_view before, std::string_view after) {
    for (std::size_t at = text.find(mark); at != text.npos; at = text.find(mark, at + 1)) {
      if (at != 0 && before.find(text[at - 1]) != before.npos) return true;
      if (at + 1 != text.size() && after.find(text[at + 1]) != after.npos) return true;
    }
    return false;
  };
  return beside('{', "\n", "{%") || beside('%', "<", "{") || beside('@', " ", "");
}

}  // namespace

std::optional<TemplateKind> probe_template(std::string_view text) {
  if (!may_have_marks(text)) return std::nullopt;
  std::optional<std::size_t> block;  // indent of the line whose block scalar we are in: somebody else's text
  for (const std::string_view line : split(text, '\n')) {
    const std::size_t indent = line.find_first_not_of(" \t\r");
    if (indent == line.npos) continue;
    if (block && indent > *block) continue;
    block.reset();
    if (const std::optional<TemplateKind> kind = probe_line(line)) return kind;
    if (opens_block_scalar(line)) block = indent;
  }
  return std::nullopt;
}

std::string_view name_of(TemplateKind kind) {
  switch (kind) {
    case TemplateKind::DoubleBraces: return "Helm, Go or Jinja2 template";
    case TemplateKind::Jinja: return "Jinja2 template";
    case TemplateKind::Erb: return "ERB template";
    case TemplateKind::Terraform: return "Terraform template";
    case TemplateKind::Braces: return "Python template";
    case TemplateKind::Marks: return "text with places to fill in";
  }
  return "template";
}

}  // namespace muster
