#include "pipeline/review.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "base/sha256.h"
#include "base/strings.h"
#include "pipeline/prove.h"
#include "pipeline/prove_worlds.h"
#include "review/fill.h"

namespace muster {
namespace {

// The states of a check, with more tries at random; less than `muster prove`: a review is of whole repositories.
constexpr ProveLimits kReviewLimits{20'000, 32, 1, 0};

std::string date_text(Date date) {
  const std::chrono::year_month_day day(date);
  char text[32];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(day.year()), static_cast<unsigned>(day.month()),
                static_cast<unsigned>(day.day()));
  return text;
}

/// What was read and is ours, and muster.yaml.
void fill_inputs(const Workspace& w, Review& review) {
  const SourceMap& sources = w.inputs.sources;
  const auto add = [&](const SourceFile& file) {
    review.inputs.push_back({file.path(), sha256(std::string(file.text()))});
  };
  for (const ParsedFile& file : w.parsed) {
    if (file.ours()) add(sources.file(file.file));
  }
  for (std::size_t id = w.inputs.files.size(); id < sources.size(); ++id) {
    if (sources.file(FileId(id)).path() == w.config.shown) add(sources.file(FileId(id)));
  }
  std::ranges::sort(review.inputs, {}, &ReviewInput::file);
  std::string lines;
  for (const ReviewInput& input : review.inputs) lines += input.sha256 + "  " + input.file + "\n";
  review.digest = sha256(std::move(lines));
}

/// What was said beside the files.
std::vector<std::string> options_of(const Options& options) {
  std::vector<std::string> out;
  for (const auto& [name, version] : options.targets) out.push_back("--target " + name + "=" + version.text());
  for (const std::string& set : options.sets) out.push_back("--set " + set);
  for (const std::string& folder : options.rule_folders) out.push_back("--rules " + folder);
  if (options.read_ignored) out.emplace_back("--no-ignore");
  return out;
}

std::string name_of_review(const ReviewRun& run, const Options& options) {
  if (run.workspace.model.fleets.size() == 1) return run.workspace.model.fleets.front().name.value;
  return join(options.paths, ", ");
}

void prove_all(ReviewRun& run, const Options& options) {
  const Model& model = run.workspace.model;
  run.worlds = find_worlds(model, world_options(run.workspace.site.targets));
  std::vector<std::vector<ProofResult>> results =
      prove_worlds(run.worlds.worlds,
                   {Property::Placeable, Property::AllOrNothing, Property::NoDeadlock, Property::NoLivelock,
                    Property::QuotaConsistent},
                   kReviewLimits, 0, options.threads);
  for (std::size_t i = 0; i < run.worlds.worlds.size(); ++i)
    run.proofs.push_back({&run.worlds.worlds[i], std::move(results[i])});
  for (const LeftOut& gang : run.worlds.left_out)
    run.left_out.push_back({model.gangs[gang.gang].id, model.gangs[gang.gang].where, gang.needs});
  std::ranges::stable_sort(run.left_out, {}, &UnprovedGang::needs);
}

}  // namespace

Result<std::unique_ptr<ReviewRun>> review_input(const Options& options, const FileSystem& disk) {
  auto run = std::make_unique<ReviewRun>();
  Result<Report> report = check(options, disk, run->workspace);
  if (!report) return report.error();
  run->report = std::move(*report);
  if (options.progress) options.progress("proving");
  prove_all(*run, options);
  if (options.progress) options.progress("summing up");
  const Workspace& w = run->workspace;
  run->review = fill_review(
      {w.model, *w.book, w.site, w.decisions, run->report, run->proofs, run->left_out, kReviewLimits, options.threads});
  run->review.name = name_of_review(*run, options);
  run->review.date = date_text(options.today);
  run->review.options = options_of(options);
  fill_inputs(w, run->review);
  return run;
}

}  // namespace muster
