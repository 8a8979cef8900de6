#include "lsp/code_actions.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "base/utf8.h"
#include "kinds/recognise.h"
#include "lsp/json_value.h"
#include "pipeline/comments.h"

namespace muster {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kTitle = 60;  // bytes of the text that a title shows

/// Edits of files, with the versions that they are about.
class EditMaker {
 public:
  explicit EditMaker(const AskedPlace& place) : place_(place) {}

  void add(const PlacedText& edit) {
    files_[edit.path].push_back({{"range", range_json(edit.where)}, {"newText", edit.text}});
  }

  Json finish() const {
    Json changes = Json::array();
    Json plain = Json::object();
    for (const auto& [path, edits] : files_) {
      const std::string uri = place_.uri_of(path);
      const auto version = place_.findings->versions.find(path);
      Json document{{"uri", uri}, {"version", nullptr}};
      if (version != place_.findings->versions.end()) document["version"] = version->second;
      changes.push_back({{"textDocument", std::move(document)}, {"edits", edits}});
      plain[uri] = edits;
    }
    return place_.client.versioned_edits ? Json{{"documentChanges", std::move(changes)}}
                                         : Json{{"changes", std::move(plain)}};
  }

 private:
  const AskedPlace& place_;
  std::map<std::string, std::vector<Json>> files_;
};

/// On one line, as a title.
std::string shown(const std::string& text) {
  std::string out = printable(trim(text));
  if (out.size() <= kTitle) return "`" + out + "`";
  std::size_t end = 0;
  while (end < kTitle) end += code_point_length(out, end);
  return "`" + out.substr(0, end) + "...`";
}

std::string title_of_fix(const PlacedFinding& finding) {
  const std::string& text = finding.edits.front().text;
  std::string out = trim(text).empty() ? "Remove it" : "Write " + shown(text);
  if (finding.edits.size() > 1) out += " (" + count_of(finding.edits.size(), "change") + ")";
  out += ": " + finding.rule;
  return finding.safety == FixSafety::Unsafe ? out + " (unsafe: what reads the file does something else then)" : out;
}

/// The diagnostics of the request that are about this finding, as the editor knows them.
Json diagnostics_of(const PlacedFinding& finding, const Json& params) {
  Json out = Json::array();
  const Json* given = value_at(params, {"context", "diagnostics"});
  if (given == nullptr || !given->is_array()) return out;
  for (const Json& one : *given) {
    if (text_at(one, {"code"}) == finding.rule && range_at(one, {"range"}) == finding.where) out.push_back(one);
  }
  return out;
}

/// Whether what stands at a place of a text is a comment, as the check will read it.
bool is_comment(const std::string& path, const std::string& text, std::size_t at) {
  SourceMap sources;
  const FileId id = sources.add(path, text);
  ParsedFile parsed;
  parse_file(id, sources, parsed);
  return !CommentProbe(parsed, sources.file(id).text()).in_text(static_cast<std::uint32_t>(at));
}

/// What stands around a comment of its own above a line; nothing where it would be no comment.
struct CommentLine {
  std::string indent;
  std::string_view end;
};
std::optional<CommentLine> comment_above(std::uint32_t number, const AskedPlace& place) {
  const std::string& text = place.document.text;
  const std::string& path = place.document.path;
  if (path.ends_with(".json")) return std::nullopt;
  const LineIndex lines(text);
  const std::string_view line = lines.line(number);
  if (line.starts_with("#!") || (number > 0 && lines.line(number - 1).ends_with('\\'))) return std::nullopt;
  const std::size_t start = lines.line_start(number);
  const std::size_t blanks = std::min(line.find_first_not_of(" \t"), line.size());
  const bool dos = std::string_view(text).substr(start + line.size()).starts_with("\r\n");
  const CommentLine out{std::string(line.substr(0, blanks)), dos ? "\r\n" : "\n"};
  std::string after = text;
  after.insert(start, out.indent + "# a reason" + std::string(out.end));
  return is_comment(path, after, start + blanks) ? std::optional(out) : std::nullopt;
}

/// The reason is left to whoever allows it: without one muster says so.
PlacedText allowing_edit(const PlacedFinding& finding, const CommentLine& line, const std::string& path) {
  const TextPosition at{finding.where.begin.line, 0};
  return {path, {at, at}, line.indent + "# muster: allow " + finding.rule + " -- " + std::string(line.end)};
}

bool wants(const Json& params, std::string_view kind) {
  const Json* only = value_at(params, {"context", "only"});
  if (only == nullptr || !only->is_array()) return true;
  return std::ranges::any_of(*only, [&](const Json& one) {
    const std::string wanted = one.is_string() ? one.get<std::string>() : std::string("-");
    return wanted.empty() || kind == wanted || kind.starts_with(wanted + ".");
  });
}

bool overlap(const TextRange& a, const TextRange& b) { return a.begin <= b.end && b.begin <= a.end; }

/// Whether the places of the findings are those of the text.
bool is_current(const AskedPlace& place) {
  const auto version = place.findings->versions.find(place.document.path);
  return version != place.findings->versions.end() && version->second == place.document.version;
}

Json action(std::string title, Json diagnostics, Json edit) {
  return {{"title", std::move(title)},
          {"kind", "quickfix"},
          {"diagnostics", std::move(diagnostics)},
          {"edit", std::move(edit)}};
}

}  // namespace

Json code_actions(const AskedPlace& place, const TextRange& range, const Json& params) {
  Json out = Json::array();
  if (place.findings == nullptr || !is_current(place) || !wants(params, "quickfix")) return out;
  const auto file = place.findings->files.find(place.document.path);
  if (file == place.findings->files.end()) return out;
  std::vector<Json> allowing;
  std::set<std::pair<std::string, std::uint32_t>> allowed;
  // The file is parsed for each of its lines: not for all that a selection holds.
  const bool on_one_line = range.begin.line == range.end.line;
  std::map<std::uint32_t, std::optional<CommentLine>> comments;
  for (const PlacedFinding& finding : file->second) {
    if (!overlap(finding.where, range)) continue;
    if (finding.safety) {
      EditMaker edits(place);
      for (const PlacedText& edit : finding.edits) edits.add(edit);
      Json fix = action(title_of_fix(finding), diagnostics_of(finding, params), edits.finish());
      if (finding.safety == FixSafety::Safe) fix["isPreferred"] = true;
      out.push_back(std::move(fix));
    }
    const RuleInfo* rule = place.rule(finding.rule);
    const std::uint32_t line = finding.where.begin.line;
    if (!on_one_line || rule == nullptr || !rule->suppressible || !allowed.insert({finding.rule, line}).second)
      continue;
    const auto [found, fresh] = comments.try_emplace(line);
    if (fresh) found->second = comment_above(line, place);
    if (found->second) {
      EditMaker edits(place);
      edits.add(allowing_edit(finding, *found->second, place.document.path));
      allowing.push_back(
          action("Allow " + finding.rule + " here, with a reason", diagnostics_of(finding, params), edits.finish()));
    }
  }
  for (Json& one : allowing) out.push_back(std::move(one));
  return out;
}

}  // namespace muster
