#include "base/strings.h"
#include "base/utf8.h"
#include "report/folding.h"
#include "report/ledger.h"
#include "report/report.h"
#include "report/words.h"

namespace muster {
namespace {

// GitHub shows no more of each level in one step. Source: actions/toolkit#734.
constexpr std::size_t kAnnotationsShown = 10;

std::string escape_data(std::string text) {
  text = replace_all(std::move(text), "%", "%25");
  text = replace_all(std::move(text), "\r", "%0D");
  return replace_all(std::move(text), "\n", "%0A");
}

std::string escape_property(std::string text) {
  text = escape_data(std::move(text));
  text = replace_all(std::move(text), ":", "%3A");
  return replace_all(std::move(text), ",", "%2C");
}

std::string_view command_of(Severity severity) {
  switch (severity) {
    case Severity::Error: return "error";
    case Severity::Warning: return "warning";
    case Severity::Info: return "notice";
  }
  return "notice";
}

std::string log_line(const Finding& finding, const SourceMap& sources) {
  return std::string(name_of(finding.severity)) + ": " + place_words(sources, finding.where) + ": " +
         printable(finding.message) + " (" + finding.rule + ")\n";
}

/// `more` findings have the same cause.
std::string annotation(const Finding& finding, std::size_t more, const SourceMap& sources) {
  const Position begin = sources.begin_of(finding.where);
  const Position end = sources.end_of(finding.where);
  // The log shows nothing but the message: without the place in it nobody finds the file from there.
  std::string message = place_words(sources, finding.where) + ": " + printable(finding.message);
  if (more > 0) message += "\n... and " + std::to_string(more) + " more like it, in the log";
  for (const std::string& line : detail_lines(finding, sources)) message += "\n" + line;
  std::string out = "::" + std::string(command_of(finding.severity)) +
                    " title=" + escape_property("muster (" + finding.rule + ")") +
                    ",file=" + escape_property(printable(sources.file(finding.where.file).path())) +
                    ",line=" + std::to_string(begin.line) + ",endLine=" + std::to_string(end.line);
  // Columns are ignored, and the annotation misplaced, where a place takes several lines.
  if (begin.line == end.line)
    out += ",col=" + std::to_string(begin.column) + ",endColumn=" + std::to_string(end.column);
  return out + "::" + escape_data(std::move(message)) + "\n";
}

}  // namespace

std::string render_github(const Report& report, const RenderOptions&) {
  std::string out;
  // They are notices as well, and would be the ones that GitHub does not show.
  std::string notes;
  std::size_t reserved = 0;
  for (const std::string& note :
       {configured_line(report.configured), selected_line(report.selected), join(known_parts(report), ", "),
        stale_line(report.compared), unknown_gpu_line(report.coverage)}) {
    if (note.empty()) continue;
    notes += "::notice title=muster::" + escape_data(note) + "\n";
    ++reserved;
  }
  if (const std::string nothing = nothing_checked_line(report); !nothing.empty())
    out += "::warning title=muster::" + escape_data(nothing) + "\n";
  const std::vector<FoldedFinding> folded = fold_findings(report.findings);
  for (const Severity severity : {Severity::Error, Severity::Warning, Severity::Info}) {
    const std::size_t shown = severity == Severity::Info ? kAnnotationsShown - 1 - reserved : kAnnotationsShown;
    std::size_t count = 0;
    for (const FoldedFinding& cause : folded) {
      if (cause.first->severity != severity) continue;
      out += count++ < shown ? annotation(*cause.first, cause.more.size(), *report.sources)
                             : log_line(*cause.first, *report.sources);
      for (const Finding* again : cause.more) out += log_line(*again, *report.sources);
    }
    if (count > shown) {
      notes += "::notice title=muster::" + std::to_string(count - shown) + " more of level " +
               std::string(name_of(severity)) + " are in the log and not annotated, because GitHub shows " +
               std::to_string(kAnnotationsShown) + "\n";
      ++reserved;
    }
  }
  return out + notes + "muster: " + summary_line(report) + "\n";
}

}  // namespace muster
