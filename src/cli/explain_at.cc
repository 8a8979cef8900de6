#include <algorithm>
#include <ostream>
#include <set>

#include "base/strings.h"
#include "base/utf8.h"
#include "cli/command.h"
#include "lint/lint.h"

namespace muster {
namespace {

struct FileLine {
  std::string file;
  std::uint32_t line = 0;
};

std::optional<FileLine> parse_place(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0) return std::nullopt;
  const std::optional<std::int64_t> line = parse_int(text.substr(colon + 1));
  if (!line || *line < 1 || *line > UINT32_MAX) return std::nullopt;
  return FileLine{text.substr(0, colon), static_cast<std::uint32_t>(*line)};
}

void print_condition(const ConditionTrace& step, std::ostream& out) {
  const char* state = step.state == ConditionState::Holds   ? "holds"
                      : step.state == ConditionState::Fails ? "fails"
                                                            : "open ";
  out << "    " << state << "  " << printable(step.text);
  std::vector<std::string> values;
  for (const auto& [name, value] : step.values) values.push_back(printable(name) + " = " + printable(value));
  if (!values.empty()) out << "   (" << join(values, ", ") << ")";
  out << "\n";
  if (!step.needs.empty()) out << "           depends on " << printable(join(step.needs, ", ")) << "\n";
}

std::string_view words_of(RuleTrace::Outcome outcome) {
  switch (outcome) {
    case RuleTrace::Outcome::Fires: return "fires";
    case RuleTrace::Outcome::Quiet: return "does not fire";
    case RuleTrace::Outcome::Open: return "is not decided";
    case RuleTrace::Outcome::OtherVersion: return "is for other versions";
  }
  return "";
}

void print_trace(const RuleTrace& trace, std::ostream& out) {
  out << trace.rule << " " << words_of(trace.outcome) << " for " << printable(trace.object) << "\n";
  for (const ConditionTrace& step : trace.conditions) print_condition(step, out);
  if (trace.outcome == RuleTrace::Outcome::Open && !trace.needs.empty())
    out << "    would be decided by " << printable(join(trace.needs, ", ")) << "\n";
  out << "\n";
}

/// What the file was taken for, and why.
void print_recognition(const ParsedFile& file, const std::set<std::string_view>& judged, const std::string& path,
                       std::ostream& out) {
  std::set<std::string_view> kinds;
  for (const Artifact& artifact : file.artifacts) kinds.insert(artifact.kind->id);
  const bool by_rules_alone = kinds.empty() && !judged.empty();
  if (by_rules_alone) kinds = judged;
  const std::vector<std::string_view> names(kinds.begin(), kinds.end());
  out << printable(path) << " is ";
  if (file.template_kind) {
    out << "a template, " << (names.empty() ? "not checked: " : "checked where no mark stands: ")
        << name_of(*file.template_kind) << "\n";
  } else if (!names.empty()) {
    out << "taken for " << join(names, ", ") << "\n";
  } else {
    out << (file.findings.empty() ? "taken for nothing that muster checks" : "broken") << "\n";
  }
  for (const Evidence& evidence : file.evidence) {
    if (by_rules_alone && evidence.weight < 0) continue;  // of another use than that by rules
    out << (evidence.weight < 0 ? "    against  " : "    for      ") << printable(evidence.text) << "\n";
  }
  out << "\n";
}

/// Kinds of the objects in a file that rules judge field by field.
std::set<std::string_view> judged_kinds(const Model& model, std::string_view file) {
  std::set<std::string_view> out;
  for (const Manifest& manifest : model.manifests) {
    if (manifest.file == file && !manifest.def->kinds.empty()) out.insert(manifest.kind);
  }
  return out;
}

std::vector<ParsedFile>::const_iterator find_file(const Workspace& workspace, const std::string& absolute,
                                                  Console& console) {
  return std::ranges::find_if(workspace.parsed, [&](const ParsedFile& parsed) {
    return console.disk.absolute(workspace.inputs.sources.file(parsed.file).path()) == absolute;
  });
}

/// The line of an excerpt that a line of its file is; nothing where it is none.
std::optional<std::uint32_t> line_in(const Excerpt& excerpt, const SourceMap& sources, std::uint32_t line) {
  const auto& lines = excerpt.text.lines;
  for (std::size_t i = lines.size(); i-- > 0;) {  // a line that was put in front has the place of the first
    if (sources.begin_of({excerpt.within, lines[i].second, lines[i].second}).line == line)
      return static_cast<std::uint32_t>(i) + 1;
  }
  return std::nullopt;
}

/// What rules say about a line: how many of them.
std::size_t print_traces(const Workspace& workspace, const Model& model, const std::vector<Decision>& decisions,
                         const TraceRequest& request, const Arguments& arguments, std::ostream& out) {
  const LintResult linted = lint({model, decisions, *workspace.book, workspace.site.targets, {}, 1, &request});
  std::size_t shown = 0;
  for (const RuleTrace& trace : linted.traces) {
    if (!arguments.name.empty() && trace.rule != arguments.name) continue;
    print_trace(trace, out);
    ++shown;
  }
  return shown;
}

/// What was found on a line before rules looked at it, by what reads the files: how much.
std::size_t print_read_findings(const Workspace& workspace, const TraceRequest& request, const Arguments& arguments,
                                std::ostream& out) {
  std::size_t shown = 0;
  for (const Finding& finding : workspace.findings) {
    if (finding.where.file != request.file || !finding.where.placed()) continue;
    if (request.sources.begin_of(finding.where).line != request.line) continue;
    if (!arguments.name.empty() && finding.rule != arguments.name) continue;
    out << std::string_view(finding.rule) << ": fires, as the file is read\n    " << printable(finding.message) << "\n";
    ++shown;
  }
  return shown;
}

}  // namespace

int run_explain_at(const Arguments& arguments, Console& console) {
  const std::optional<FileLine> place = parse_place(arguments.at);
  if (!place) return fail(console, "--at: expected FILE:LINE, got `" + arguments.at + "`");
  Arguments read = arguments;
  if (read.paths.empty()) read.paths = {place->file};
  Result<Options> options = make_options(read, console);
  if (!options) return fail(console, options.error().message);
  Result<Workspace> workspace = read_workspace(*options, console.disk, BookUse::ForCheck);
  if (!workspace) return fail(console, workspace.error().message);
  const std::string wanted = console.disk.absolute(place->file);
  std::vector<ParsedFile>::const_iterator file = find_file(*workspace, wanted, console);
  const bool alone = arguments.paths.empty() && file != workspace->parsed.end() && !file->ours();
  if (alone) {  // what it is may be said by its neighbours
    options->paths = {place->file.find('/') == std::string::npos ? "."
                                                                 : place->file.substr(0, place->file.rfind('/') + 1)};
    if (Result<Workspace> wider = read_workspace(*options, console.disk, BookUse::ForCheck))
      workspace = std::move(wider);
    file = find_file(*workspace, wanted, console);
  }
  if (file == workspace->parsed.end())
    return fail(console, "`" + place->file + "` is none of the files that muster reads there");
  const SourceMap& sources = workspace->inputs.sources;
  const SourceFile& text = sources.file(file->file);
  if (const std::uint32_t lines = text.line_count() - (text.text().ends_with('\n') ? 1 : 0); place->line > lines)
    return fail(console, "`" + place->file + "` has " + count_of(lines, "line") + ", and no line " +
                             std::to_string(place->line));
  const std::set<std::string_view> judged =
      judged_kinds(workspace->model, workspace->inputs.files[static_cast<std::size_t>(file->file)].context.path);
  print_recognition(*file, judged, place->file, console.out);
  std::size_t shown = 0;
  bool quoted = false;
  for (const Excerpt& excerpt : workspace->excerpts) {
    const auto line = excerpt.within == file->file ? line_in(excerpt, sources, place->line) : std::nullopt;
    if (!line) continue;
    quoted = true;
    console.out << "the line stands in an excerpt, which `check` reads as if it stood alone\n\n";
    shown +=
        print_traces(*workspace, excerpt.model, {}, {excerpt.inputs.sources, FileId{0}, *line}, arguments, console.out);
  }
  if (!quoted && !file->ours() && judged.empty()) return 0;
  if (file->ours() || !judged.empty())
    shown += print_traces(*workspace, workspace->model, workspace->decisions, {sources, file->file, place->line},
                          arguments, console.out);
  shown += print_read_findings(*workspace, {sources, file->file, place->line}, arguments, console.out);
  if (shown == 0) console.out << "no rule looks at " << printable(place->file) << ":" << place->line << "\n";
  return 0;
}

}  // namespace muster
