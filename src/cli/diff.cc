#include <memory>

#include "cli/command.h"
#include "cli/progress.h"
#include "pipeline/diff.h"

namespace muster {

int run_diff(const Arguments& arguments, Console& console) {
  const std::optional<Reversibility> level = enum_of<Reversibility>(arguments.fail_on_change);
  if (!arguments.fail_on_change.empty() && (!level || *level == Reversibility::Reversible))
    return fail(console, "--fail-on-change: expected baked-in or costly, got `" + arguments.fail_on_change + "`");
  Result<std::vector<OutputTarget>> formats = read_formats(arguments, {"json", "text"});
  if (!formats) return fail(console, formats.error().message);
  if (arguments.paths.size() != 2)
    return fail(console, "diff: expected two folders or git revisions; for example `muster diff main .`");
  Result<Options> options = make_options(arguments, console);
  if (!options) return fail(console, options.error().message);
  std::unique_ptr<DiffSide> sides[2];
  for (std::size_t i = 0; i < 2; ++i) {
    ProgressLine progress(console.err, console.err_is_terminal && !arguments.quiet);
    options->progress = [&](const std::string& stage) { progress.tell(stage); };
    Result<std::unique_ptr<DiffSide>> side = read_diff_side(arguments.paths[i], *options, console.disk);
    if (!side) return fail(console, side.error().message);
    sides[i] = std::move(*side);
  }
  options->progress = nullptr;  // its line is gone
  for (std::size_t i = 0; i < 2; ++i) {
    const std::set<std::string> on_disk = read_on_one_side(*sides[i], *sides[1 - i]);
    if (on_disk.empty()) continue;
    Result<std::unique_ptr<DiffSide>> again = read_diff_side(arguments.paths[i], *options, console.disk, on_disk);
    if (!again) return fail(console, again.error().message);
    (*again)->submodules = sides[i]->submodules;  // what can be read stays so
    sides[i] = std::move(*again);
  }
  const DiffReport diff = compare_sides(*sides[0], *sides[1], console.disk);
  for (const OutputTarget& target : *formats) {
    const std::string text = target.format == "json" ? diff_json(diff) : diff_text(diff);
    if (std::optional<Error> error = write_output(target.path, text, console)) return fail(console, error->message);
  }
  if (!level) return 0;
  const bool costly = *level == Reversibility::Costly && diff.touched(Reversibility::Costly) > 0;
  return costly || diff.touched(Reversibility::BakedIn) > 0 ? 1 : 0;
}

}  // namespace muster
