#include "cli/command.h"
#include "report/decisions.h"
#include "report/report.h"

namespace muster {

int run_decide(const Arguments& arguments, Console& console) {
  Result<std::vector<OutputTarget>> formats = read_formats(arguments, {"json", "text"});
  if (!formats) return fail(console, formats.error().message);
  Result<Options> options = make_options(arguments, console);
  if (!options) return fail(console, options.error().message);
  Result<Workspace> read = read_workspace(*options, console.disk);
  if (!read) return fail(console, read.error().message);
  Workspace& workspace = *read;
  if (workspace.model.workloads.empty() && workspace.findings.empty()) {
    return fail(console, "there is no workload in these files; a workloads file begins with `muster: workloads/v1`");
  }
  for (const OutputTarget& target : *formats) {
    const std::string text = target.format == "json" ? decisions_json(workspace.decisions) : decisions_text(workspace.decisions);
    if (std::optional<Error> error = write_output(target.path, text, console)) return fail(console, error->message);
  }
  // On standard error, so that the answer stays clean.
  tell_findings(workspace.findings, workspace.inputs.sources, console);
  const bool broken = !workspace.findings.empty();
  bool open = false;
  for (const Decision& decision : workspace.decisions) open = open || !decision.decided();
  return broken || (open && arguments.fail_on_unknown) ? 1 : 0;
}

}  // namespace muster
