#include <algorithm>

#include "cli/command.h"
#include "decide/circumstances.h"
#include "decide/decide.h"
#include "report/decisions.h"
#include "report/report.h"

namespace muster {

namespace {

/// --set, --why and --why-not: the decisions of the workspace again, with what was asked for.
std::optional<Error> decide_again(const Arguments& arguments, Workspace& workspace) {
  std::vector<std::string> sets;
  for (const std::string& text : arguments.sets) {
    if (!is_stated(text)) sets.push_back(text);  // with the others the workspace was read
  }
  if (!sets.empty()) {
    if (std::optional<Error> error = set_facts(sets, *workspace.book, workspace.model, workspace.site)) return error;
    workspace.implausible.reset();
    workspace.circumstances = std::make_unique<const Circumstances>(workspace.model, *workspace.book, workspace.site);
    workspace.decisions = decide_all(workspace.model, *workspace.book, workspace.site, *workspace.circumstances);
  }
  for (std::size_t i = 0; i < workspace.decisions.size(); ++i) {
    const Workload& workload = workspace.model.workloads[i];
    const Site& site = workspace.circumstances->site_of(i);
    if (arguments.why) workspace.decisions[i].trace = trace_tables(workload, *workspace.book, site);
    for (const std::string& value : arguments.why_not) {
      Result<WhyNot> answer = why_not(workload, *workspace.book, site, value);
      if (!answer) return answer.error();
      workspace.decisions[i].why_not.push_back(std::move(*answer));
    }
  }
  return std::nullopt;
}

}  // namespace

int run_decide(const Arguments& arguments, Console& console) {
  Result<std::vector<OutputTarget>> formats = read_formats(arguments, {"json", "text"});
  if (!formats) return fail(console, formats.error().message);
  Result<Options> options = make_options(arguments, console);
  if (!options) return fail(console, options.error().message);
  Result<Workspace> read = read_workspace(*options, console.disk);
  if (!read) return fail(console, read.error().message);
  Workspace& workspace = *read;
  if (workspace.model.workloads.empty() && (arguments.paths.empty() || workspace.findings.empty())) {
    tell_findings(workspace.findings, workspace.inputs.sources, console);
    return fail(
        console,
        "there is no workload in these files; a workloads file begins with `muster: workloads/v1`, and `muster init` "
        "writes one");
  }
  if (std::optional<Error> error = decide_again(arguments, workspace)) return fail(console, error->message);
  FleetDecision fleet = decide_fleet(workspace.model, *workspace.book, workspace.site, workspace.decisions);
  fleet.break_evens = break_evens_of(workspace.model, *workspace.book, workspace.site, workspace.decisions);
  const SourceMap& sources = workspace.inputs.sources;
  for (const OutputTarget& target : *formats) {
    const std::string text = target.format == "json" ? decisions_json(workspace.decisions, fleet, sources)
                                                     : decisions_text(workspace.decisions, fleet, sources);
    if (std::optional<Error> error = write_output(target.path, text, console)) return fail(console, error->message);
  }
  judge_files(*options, console.disk, workspace);
  // On standard error, so that the answer stays clean.
  tell_findings(workspace.findings, workspace.inputs.sources, console);
  const bool broken = std::ranges::any_of(workspace.findings,
                                          [](const Finding& finding) { return finding.severity == Severity::Error; });
  bool open = false;
  for (const Decision& decision : workspace.decisions) open = open || !decision.decided();
  return broken || (open && arguments.fail_on_unknown) ? 1 : 0;
}

}  // namespace muster
