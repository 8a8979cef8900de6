#include "pipeline/dump.h"
#include "base/strings.h"
#include "cli/command.h"
#include "decide/decide.h"
#include "pipeline/prove.h"
#include "report/decisions.h"
#include "report/site_json.h"
#include "worlds/worlds.h"

namespace muster {

int run_dump(const Arguments& arguments, Console& console) {
  Result<Options> options = make_options(arguments, console);
  if (!options) return fail(console, options.error().message);
  Result<Workspace> workspace = read_workspace(*options, console.disk);
  if (!workspace) return fail(console, workspace.error().message);
  const SourceMap& sources = workspace->inputs.sources;
  std::string text;
  if (arguments.name == "artifacts") {
    text = dump_artifacts(workspace->parsed, sources);
  } else if (arguments.name == "rendered") {
    text = dump_rendered(workspace->rendered, sources);
  } else if (arguments.name == "model") {
    text = dump_model(workspace->model, sources);
  } else if (arguments.name == "facts") {
    const RuleBook* book = workspace->book;
    text = dump_facts(workspace->model, workspace->site.targets, book == nullptr ? nullptr : &book->slurm_keys());
  } else if (arguments.name == "decisions") {
    FleetDecision fleet = decide_fleet(workspace->model, *workspace->book, workspace->site, workspace->decisions);
    fleet.break_evens = break_evens_of(workspace->model, *workspace->book, workspace->site, workspace->decisions);
    text = decisions_text(workspace->decisions, fleet, sources);
  } else if (arguments.name == "site") {
    text = site_json(workspace->model, sources);
  } else if (arguments.name == "worlds") {
    text = dump_worlds(find_worlds(workspace->model, world_options(workspace->site.targets)).worlds);
  } else {
    constexpr std::string_view kStages[] = {"artifacts", "rendered", "model", "site", "facts", "decisions", "worlds"};
    return fail(console, "there is no stage `" + arguments.name + "`" + did_you_mean(arguments.name, kStages) +
                             "; known are " + join(kStages, ", "));
  }
  if (std::optional<Error> error = write_output("", text, console)) return fail(console, error->message);
  return 0;
}

}  // namespace muster
