#include "pipeline/broken_files.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string_view>

#include "base/strings.h"
#include "kinds/joined_objects.h"
#include "kinds/language.h"
#include "kinds/text_evidence.h"
#include "pipeline/input_names.h"
#include "syntax/yaml_reader.h"

namespace muster {
namespace {

/// Where a line begins with the mark and goes on as git writes it; npos: none does from `from` on.
std::size_t conflict_line(std::string_view text, std::string_view mark, std::size_t from) {
  for (std::size_t at = text.find(mark, from); at != text.npos; at = text.find(mark, at + mark.size())) {
    const bool first = at == 0 || text[at - 1] == '\n';
    const std::size_t behind = at + mark.size();
    const char next = behind < text.size() ? text[behind] : '\n';
    if (first && (next == '\n' || next == '\r' || next == ' ')) return at;
  }
  return text.npos;
}

std::optional<std::size_t> conflict_in(std::string_view text) {
  const std::size_t ours = conflict_line(text, "<<<<<<<", 0);
  const std::size_t parting = ours == text.npos ? ours : conflict_line(text, "=======", ours);
  if (parting == text.npos || conflict_line(text, ">>>>>>>", parting) == text.npos) return std::nullopt;
  return ours;
}

/// Files that are broken on purpose, for a test to see that they are refused.
constexpr std::array<std::string_view, 9> kForTests{"test",   "invalid", "broken", "malformed", "fixtures",
                                                    "golden", "bad-",    "bad_",   "bad."};

/// A text in which something is filled in before it is YAML, in whatever way.
bool is_filled_in(std::string_view text) {
  constexpr std::array<std::string_view, 7> kMarks{"{{", "{%", "<%", "%{", "$(", "((", "]]"};
  return std::ranges::any_of(kMarks, [&](std::string_view mark) { return contains(text, mark); }) ||
         has_blank_to_fill(text) || has_here_document(text) || waits_for_variables(text, true);
}

/// A line with a word in `<>`, `@` or `%` is a form as well.
bool is_form(std::string_view text, std::uint32_t at) {
  const std::size_t place = std::min<std::size_t>(at, text.size());
  const std::size_t before = place == 0 ? text.npos : text.rfind('\n', place - 1);
  const std::size_t begin = before == text.npos ? 0 : before + 1;
  const std::string_view line = text.substr(begin, text.find('\n', place) - begin);
  return line.find_first_of("<>@%$") != line.npos;
}

std::optional<Finding> mistake_in(FileId file, std::string_view text) {
  for (const Span& piece : split_yaml_documents(file, text)) {
    Document ignored;
    std::vector<Finding> found;
    if (read_yaml(text, piece, ignored, found)) continue;
    const auto syntax = std::ranges::find(found, "yaml-syntax", &Finding::rule);
    if (syntax == found.end() || is_form(text, syntax->where.begin)) return std::nullopt;
    // A header that ends so, and a table behind it: a dictionary of Rime, front matter.
    if (contains(text.substr(0, syntax->where.begin), "\n...\n")) return std::nullopt;
    return problem("yaml-file-broken", syntax->where, "the file is not YAML: " + syntax->message);
  }
  return std::nullopt;
}

}  // namespace

void find_broken_files(const Inputs& inputs, const std::vector<bool>& ours, std::vector<Finding>& findings) {
  std::set<FileId> known;
  for (const Finding& finding : findings) {
    if (finding.rule.ends_with("-syntax")) known.insert(finding.where.file);
  }
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const FileId file{static_cast<std::uint32_t>(i)};
    const std::string_view path = inputs.files[i].context.path;
    if (inputs.files[i].reading != Reading::Whole || language_of(path) == Language::Prose) continue;
    const std::string_view text = inputs.sources.file(file).text();
    if (const std::optional<std::size_t> conflict = conflict_in(text)) {
      const auto begin = static_cast<std::uint32_t>(*conflict);
      findings.push_back(problem("conflict-marks-left", {file, begin, begin + 7},
                                 "both sides of a merge that was not finished stand in the file"));
      continue;
    }
    const std::string_view name = last_part(path);
    const bool yaml = (name.ends_with(".yaml") || name.ends_with(".yml")) && name != "topology.yaml";  // Slurm's own
    if (!yaml || ours[i] || known.contains(file) || is_named_for(path, kForTests) || contains(path, "templates/") ||
        text.starts_with("#!") || is_filled_in(text))
      continue;
    if (std::optional<Finding> mistake = mistake_in(file, text)) findings.push_back(std::move(*mistake));
  }
}

}  // namespace muster
