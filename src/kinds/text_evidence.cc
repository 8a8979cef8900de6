#include "kinds/text_evidence.h"

#include <algorithm>
#include <optional>

#include "base/strings.h"
#include "gang/scheduler.h"
#include "kinds/dump_kinds.h"
#include "kinds/registry.h"
#include "kubernetes/installed_charts.h"
#include "syntax/yaml_reader.h"

namespace muster {
namespace {

constexpr std::size_t kMaxIndent = 256;  // what stands further right is no key of a document

struct KeyLine {
  std::size_t indent = 0;
  std::string_view value;  ///< without quotes, comment and comma
};

std::string_view unquoted(std::string_view text) {
  text = trim(text);
  if (text.ends_with(',')) text = trim(text.substr(0, text.size() - 1));
  const bool quoted = text.size() > 1 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
  return quoted ? text.substr(1, text.size() - 2) : text;
}

/// Keys may be written in other letters then. Two searches for one character each are far quicker than one for both.
bool has_escape_or_tag(std::string_view document) {
  return document.find('\\') != document.npos || document.find('!') != document.npos;
}

/// The first line that gives a key: `kind: Job`, `"kind" : "Job",`. With an indent, only lines of that one.
std::optional<KeyLine> line_of(std::string_view text, std::string_view key,
                               std::optional<std::size_t> indent = std::nullopt) {
  for (std::size_t at = text.find(key); at != text.npos; at = text.find(key, at + 1)) {
    const std::size_t from = at - std::min(at, kMaxIndent);
    const std::size_t line_end = text.substr(from, at - from).rfind('\n');
    if (line_end == text.npos && from > 0) continue;
    const std::size_t begin = line_end == text.npos ? 0 : from + line_end + 1;
    const std::string_view before = text.substr(begin, at - begin);
    const std::size_t blanks = std::min(before.find_first_not_of(" \t{"), before.size());
    const std::string_view quote = before.substr(blanks);
    if (!quote.empty() && quote != "\"" && quote != "'") continue;
    if (indent && blanks != *indent) continue;
    std::string_view rest = text.substr(at + key.size());
    rest = rest.substr(0, rest.find('\n'));
    if (!quote.empty() && !rest.starts_with(quote)) continue;
    rest = trim(rest.substr(quote.size()));
    if (!rest.starts_with(':')) continue;
    rest.remove_prefix(1);
    return KeyLine{blanks, unquoted(rest.substr(0, rest.find(" #")))};
  }
  return std::nullopt;
}

/// Whether it has a key of the Helm values that some operator names.
bool may_be_operator_values(std::string_view document, const SchedulerBook& schedulers) {
  const auto names = [&](std::string_view path) {
    return !path.empty() && contains(document, path.substr(0, path.find('.')));
  };
  return std::ranges::any_of(schedulers.operators, [&](const Operator& which) {
    return names(which.chart_config) ||
           std::ranges::any_of(which.settings, [&](const OperatorOption& option) { return names(option.helm); });
  });
}

bool is_our_object_kind(std::string_view name, const KindTable& kinds) {
  if (name.ends_with("List") || contains(name, "{{") || contains(name, "<%") || contains(name, "${")) return true;
  return std::ranges::any_of(kinds.all(), [&](const Kind& kind) {
    return !kind.object_kind.empty() && kind.object_kind == name && kind.recognises == nullptr &&
           kind.recognises_by == nullptr;
  });
}

bool is_dumped_kind(std::string_view name) {
  if (name.ends_with("List")) return name == "List" || is_dumped_kind(name.substr(0, name.size() - 4));
  return std::ranges::any_of(all_dump_kinds(), [&](const DumpKind& kind) {
    return kind.form == DumpKind::Form::Object && kind.object_kind == name;
  });
}

/// Whether a tree of that kind may be in a text; `has` looks for one of its keys.
template <class Has>
bool may_be_tree(const DumpKind& kind, Has has) {
  return kind.form == DumpKind::Form::Tree && std::ranges::all_of(kind.keys, has) &&
         (kind.one_of.empty() || std::ranges::any_of(kind.one_of, has));
}

/// `key: value`, `- item`, a bracket or a quote.
bool is_data_line(std::string_view line) {
  if (line.starts_with("- ") || line == "-" || line.starts_with("---") || line.starts_with("...") ||
      line.starts_with("? "))
    return true;
  if (std::string_view("{}[]\"'&!%").find(line.front()) != std::string_view::npos) return true;
  const std::size_t colon = line.find(':');
  if (colon == line.npos) return false;
  return line.substr(0, colon).find(' ') == line.npos && (colon + 1 == line.size() || line[colon + 1] == ' ');
}

/// A line that is or ends in a word such as HF_TOKEN_ENV where nothing of YAML can stand: alone, glued to the colon of
/// a key or to the end of a quotation.
bool ends_in_loud_word(std::string_view line) {
  line = trim(line);
  const std::size_t begin = line.find_last_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") + 1;  // npos + 1 is 0
  const std::string_view word = line.substr(begin);
  if (word.size() < 5 || !contains(word, "_")) return false;
  return begin == 0 || line[begin - 1] == ':' || line[begin - 1] == '"' || line[begin - 1] == '\'';
}

/// A line that a program puts something in the place of: `$MORE` of envsubst, `X_IMAGE|-image: a-|` and `A-B_IMAGE` of
/// scripts with sed.
bool is_filled_line(std::string_view line) {
  line = trim(line);
  const bool variable = line.starts_with('$');
  if (variable) line.remove_prefix(1);
  if (line.ends_with("-|") && contains(line, "|-")) line = line.substr(0, line.find("|-"));
  if (line.size() < 5 || line.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != line.npos) return false;
  return line.front() != '-' && (variable || contains(line, "_"));
}

}  // namespace

bool has_blank_to_fill(std::string_view text) {
  for (const std::string_view line : split(text, '\n')) {
    if (ends_in_loud_word(line) || is_filled_line(line)) return true;
  }
  for (std::size_t at = text.find(": {"); at != text.npos; at = text.find(": {", at + 1)) {
    const std::size_t begin = at + 3;
    const std::size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-", begin);
    const bool word = end != text.npos && end > begin && text[end] == '}';
    if (word && end + 1 < text.size() && std::string_view(" ,\r\n#}]").find(text[end + 1]) == std::string_view::npos)
      return true;
  }
  return false;
}

bool waits_for_variables(std::string_view document, bool data) {
  constexpr std::string_view kOpen = "${";
  if (!contains(document, kOpen)) return false;
  if (!data || contains(document, "%{")) return true;
  for (const std::string_view line : split(document, '\n')) {
    if (trim(line).starts_with(kOpen)) return true;  // may become several lines
  }
  std::string filled;
  for (std::size_t at = 0; at < document.size();) {
    const std::size_t open = std::min(document.find(kOpen, at), document.size());
    filled += document.substr(at, open - at);
    if (open == document.size()) break;
    filled += 'x';
    at = std::min(document.find_first_of("}\n", open), document.size());
    if (at < document.size() && document[at] == '}') ++at;
  }
  Document ignored;
  std::vector<Finding> findings;
  const auto size = static_cast<std::uint32_t>(filled.size());
  return read_yaml(filled, {FileId::None, 0, size}, ignored, findings);
}

bool may_hold_ours(std::string_view document, const KindTable& kinds) {
  if (has_escape_or_tag(document)) return true;
  const int keys = static_cast<int>(contains(document, "kind")) + static_cast<int>(contains(document, "apiVersion"));
  if (keys == 2 || (keys == 1 && contains(document, "metadata"))) return true;  // one of them may be forgotten
  if (contains(document, "cluster_name") && contains(document, "provider")) return true;
  if (contains(document, "env_vars") || contains(document, "py_modules")) return true;
  if (line_of(document, "services", 0)) return true;  // of Docker Compose
  return contains(document, "muster") || contains(document, "topology") ||
         may_be_operator_values(document, kinds.schedulers()) || may_be_chart_values(document);
}

bool claims_to_be_ours(std::string_view document, const KindTable& kinds) {
  if (const std::optional<KeyLine> version = line_of(document, "apiVersion")) {
    const std::optional<KeyLine> kind = line_of(document, "kind", version->indent);
    return kind && !version->value.empty() && is_our_object_kind(kind->value, kinds);
  }
  if (const std::optional<KeyLine> own = line_of(document, "muster", 0)) return !own->value.empty();
  if (line_of(document, "kind", 0)) return false;
  return contains(document, "topology:") &&
         (contains(document, "switches:") || contains(document, "blocks:") || contains(document, "flat:"));
}

bool may_hold_dump(std::string_view document) {
  if (has_escape_or_tag(document)) return true;
  if (contains(document, "kind") && (contains(document, "apiVersion"))) return true;
  const auto has = [&](std::string_view key) { return contains(document, key); };
  // slurmrestd of some releases leaves `meta` out.
  return std::ranges::any_of(all_dump_kinds(), [&](const DumpKind& kind) {
    return may_be_tree(kind, has) || std::ranges::any_of(kind.one_of, has);
  });
}

bool claims_to_be_dump(std::string_view document, bool json) {
  if (json) return may_hold_dump(document);
  if (const std::optional<KeyLine> version = line_of(document, "apiVersion")) {
    const std::optional<KeyLine> kind = line_of(document, "kind", version->indent);
    return kind && !version->value.empty() && is_dumped_kind(kind->value);
  }
  const auto has = [&](std::string_view key) { return line_of(document, key, 0).has_value(); };
  return std::ranges::any_of(all_dump_kinds(), [&](const DumpKind& kind) { return may_be_tree(kind, has); });
}

bool reads_like_data(std::string_view document) {
  std::size_t top = std::string_view::npos;  // the least indent
  const std::vector<std::string_view> lines = split(document, '\n');
  const auto indent_of = [](std::string_view line) { return line.find_first_not_of(" \t\r"); };
  for (const std::string_view line : lines) top = std::min(top, indent_of(line));
  std::size_t all = 0;
  std::size_t good = 0;
  for (const std::string_view line : lines) {
    const std::string_view words = trim(line);
    if (words.starts_with("```") || words.starts_with("<!DOCTYPE") || words.starts_with("<html")) return false;
    if (indent_of(line) != top || words.empty() || words.front() == '#') continue;
    if (contains(words, "<<") && !words.starts_with("<<")) return false;  // a here-document
    ++all;
    good += is_data_line(words) ? 1 : 0;
  }
  return good * 100 >= all * 70;
}

std::optional<std::pair<Span, std::string>> unlike_libyaml(std::string_view text, const Span& document) {
  const bool flow = trim(text).starts_with('[') || trim(text).starts_with('{');
  for (std::size_t at = document.begin; at < document.end;) {
    const std::size_t end = std::min<std::size_t>(text.find('\n', at), document.end);
    const std::string_view line = text.substr(at, end - at);
    const std::size_t first = line.find_first_not_of(" \t");
    const Span where{document.file, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)};
    const bool says_something = first != line.npos && line[first] != '#' && line[first] != '\r';
    if (says_something && !flow && line.substr(0, first).find('\t') != line.npos)
      return std::pair(where, std::string("a tab stands in the indentation"));
    for (const std::string_view before : {": *", "- *", "[*", ", *"}) {
      const std::size_t star = says_something ? line.find(before) : line.npos;
      if (star != line.npos && line.find('#') > star && line.find_first_of("\"'") > star)
        return std::pair(where, std::string("Slurm's reader knows no aliases"));
    }
    at = end + 1;
  }
  return std::nullopt;
}

bool begins_as_conf(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = trim(text.substr(at, end - at));
    at = end + 1;
    if (line.empty() || line.front() == '#') continue;
    const std::size_t key = line.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.");
    const std::string_view rest = key == line.npos || key == 0 ? std::string_view{} : trim(line.substr(key));
    return rest.starts_with('=') || starts_with_ignoring_case(line, "include ");
  }
  return false;
}

}  // namespace muster
