#include <algorithm>
#include <chrono>
#include <iomanip>
#include <memory>
#include <ostream>

#include "base/strings.h"
#include "base/utf8.h"
#include "cli/command.h"
#include "cli/fix.h"
#include "cli/progress.h"
#include "pipeline/gate.h"
#include "pipeline/shards.h"
#include "report/ledger.h"

namespace muster {
namespace {

bool fails(const Summary& summary, const RenderOptions& options) {
  return (summary.errors > 0 && options.fails(Severity::Error)) ||
         (summary.warnings > 0 && options.fails(Severity::Warning)) ||
         (summary.infos > 0 && options.fails(Severity::Info));
}

void write_suppressed(const std::vector<SuppressedFinding>& suppressed, const SourceMap& sources, std::ostream& out) {
  for (const SuppressedFinding& entry : suppressed) {
    const SourceFile& file = sources.file(entry.finding.where.file);
    out << "suppressed[" << entry.finding.rule << "]: " << printable(entry.finding.message) << "\n  --> "
        << printable(file.path()) << ":" << file.position(entry.finding.where.begin).line
        << "\n   = reason: " << printable(entry.reason) << "\n\n";
  }
}

struct Run {
  Workspace workspace;
  SourceMap places;  ///< of a shard
  Result<Report> report = Error{};
};

/// Taking apart what many documents became is a tenth of what reading them costs; a process that ends need not do it.
void leave(std::unique_ptr<Run> run) {
  [[maybe_unused]] static const Run* left = nullptr;  // still reachable: no leak
  left = run.release();
}

/// What does not go with --shard; empty: all does.
std::string against_shard(const Arguments& arguments) {
  if (arguments.shard.empty()) return "";
  const std::pair<bool, std::string_view> others[] = {{arguments.fix, "--fix"},
                                                      {arguments.diff, "--diff"},
                                                      {!arguments.since.empty(), "--since"},
                                                      {!arguments.baseline.empty(), "--baseline"}};
  for (const auto& [given, name] : others) {
    if (given) return "--shard checks several repositories, and " + std::string(name) + " is about one";
  }
  if (std::ranges::find(arguments.paths, "-") != arguments.paths.end())
    return "--shard is about folders: standard input is none";
  if (arguments.fail_on_nothing) return "--fail-on-nothing is about all shards: give it to `muster merge`";
  return "";
}

std::vector<std::int64_t> first_two(const Version& release) {
  std::vector<std::int64_t> out = release.parts();
  out.resize(std::min<std::size_t>(out.size(), 2));
  return out;
}

/// Rules speak of the releases that somebody read: of a newer one they know what they know of the newest.
void note_unread_releases(const Targets& targets, const RuleBook& book, Console& console) {
  for (const auto& [name, release] : targets) {
    const std::vector<Version>& known = book.releases(name);
    if (known.empty() || !std::ranges::lexicographical_compare(known.back().parts(), first_two(release))) continue;
    console.err << "muster: " << name << " " << release.text() << " is newer than " << known.back().text()
                << ", the newest that the rules know: they are judged as if nothing had changed since\n";
  }
}

}  // namespace

int answer(const Report& report, const Summary& judged, const Arguments& arguments, const RenderOptions& render,
           Console& console) {
  const Result<std::vector<OutputTarget>> formats = read_formats(arguments, names_of_formats(report_formats()));
  if (!formats) return fail(console, formats.error().message);
  for (const OutputTarget& target : *formats) {
    if (arguments.diff && target.path.empty()) continue;
    if (target.format == "text" && arguments.show_suppressed && target.path.empty())
      write_suppressed(report.suppressed, *report.sources, console.out);
    const std::string text = find_report_format(target.format)->render(report, render);
    if (std::optional<Error> error = write_output(target.path, text, console)) return fail(console, error->message);
  }
  if (report.shard && !report.shard->failed.empty()) {
    for (const UncheckedRepository& one : report.shard->failed)
      fail(console, "`" + one.folder + "` is not checked: " + one.why);
    return 2;
  }
  const std::string nothing = arguments.fail_on_nothing ? nothing_checked_line(report) : "";
  if (!nothing.empty()) return fail(console, nothing);
  const bool unknown_fails =
      arguments.fail_on_unknown && (judged.undecided > 0 || report.coverage.unknown_with_gpus() > 0);
  return fails(judged, render) || unknown_fails ? 1 : 0;
}

int run_check(const Arguments& arguments, Console& console) {
  const Result<RenderOptions> render = make_render_options(arguments, console);
  if (!render) return fail(console, render.error().message);
  Result<std::vector<OutputTarget>> formats = read_formats(arguments, names_of_formats(report_formats()));
  if (!formats) return fail(console, formats.error().message);
  Result<Options> options = make_options(arguments, console);
  if (!options) return fail(console, options.error().message);
  options->one_run = console.one_run;
  options->keeps_trees = arguments.fix || arguments.diff || !arguments.since.empty() || !arguments.baseline.empty();
  if (const std::string why = against_shard(arguments); !why.empty()) return fail(console, why);
  std::optional<Shard> shard;
  if (!arguments.shard.empty()) {
    const Result<Shard> parsed = parse_shard(arguments.shard);
    if (!parsed) return fail(console, parsed.error().message);
    shard = *parsed;
  }

  if (arguments.unsafe && !arguments.fix && !arguments.diff) return fail(console, "--unsafe goes with --fix or --diff");
  if ((arguments.fix || arguments.diff) && std::ranges::find(options->paths, "-") != options->paths.end())
    return fail(console, "--fix and --diff are about files: standard input is none");

  const auto start = std::chrono::steady_clock::now();
  auto run = std::make_unique<Run>();
  Workspace& workspace = run->workspace;
  Result<Report>& report = run->report;
  {
    ProgressLine progress(console.err, console.err_is_terminal && !arguments.quiet);
    options->progress = [&](const std::string& stage) { progress.tell(stage); };
    report = shard ? check_shard(*options, *shard, console.disk, run->places) : gate(*options, console.disk, workspace);
    options->progress = nullptr;
  }
  if (!report) return fail(console, report.error().message);
  const Summary as_it_is = report->summary;
  if (arguments.fix || arguments.diff) {
    const Result<FixRun> fixes = fix_findings(*options, arguments.unsafe, console.disk, workspace, *report);
    if (!fixes) return fail(console, fixes.error().message);
    if (std::optional<Error> error = apply_fixes(*fixes, arguments, console)) return fail(console, error->message);
  }

  if (!arguments.quiet && workspace.book) note_unread_releases(options->targets, *workspace.book, console);
  if (arguments.stats) {
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    console.err << with_thousands(report->summary.files) << " files, " << with_thousands(report->summary.artifacts)
                << " artifacts, ";
    if (!shard)
      console.err << with_thousands(workspace.model.gangs.size()) << " gangs, " << workspace.book->rules().size()
                  << " rules, ";
    console.err << std::fixed << std::setprecision(3) << took.count() << " s\n";
  }
  const int code = answer(*report, arguments.diff ? as_it_is : report->summary, arguments, *render, console);
  if (console.one_run) leave(std::move(run));
  return code;
}

}  // namespace muster
