#include <algorithm>
#include <array>

#include "base/strings.h"
#include "cli/command.h"
#include "cli/progress.h"
#include "pipeline/review.h"

namespace muster {
namespace {

struct ReviewFormat {
  std::string_view name;
  std::string (*render)(const Review& review);
};
constexpr std::array kFormats{
    ReviewFormat{"html", review_html},
    ReviewFormat{"json", review_json},
    ReviewFormat{"markdown", review_markdown},
};

}  // namespace

int run_review(const Arguments& arguments, Console& console) {
  if (std::optional<Error> error = check_level(arguments.review_fail_on)) return fail(console, error->message);
  std::vector<std::string> known;
  for (const ReviewFormat& format : kFormats) known.emplace_back(format.name);
  Result<std::vector<OutputTarget>> formats = read_formats(arguments, known, "markdown");
  if (!formats) return fail(console, formats.error().message);
  Result<Options> options = make_options(arguments, console);
  if (!options) return fail(console, options.error().message);
  Result<std::unique_ptr<ReviewRun>> run = Error{};
  {
    ProgressLine progress(console.err, console.err_is_terminal && !arguments.quiet);
    options->progress = [&](const std::string& stage) { progress.tell(stage); };
    run = review_input(*options, console.disk);
  }
  if (!run) return fail(console, run.error().message);
  Review& review = (*run)->review;
  review.version = MUSTER_VERSION;
  for (const OutputTarget& target : *formats) {
    const auto format = std::ranges::find(kFormats, target.format, &ReviewFormat::name);
    if (std::optional<Error> error = write_output(target.path, format->render(review), console))
      return fail(console, error->message);
  }
  const auto is_open = [](const ProofResult& result) {
    return result.verdict == Verdict::Unknown && !result.budget_exhausted;
  };
  const bool unproved = std::ranges::any_of(
      review.proofs, [&](const ReviewProof& proof) { return std::ranges::any_of(proof.proof.results, is_open); });
  const bool open = !review.questions.empty() || unproved || !review.left_out.empty() ||
                    (*run)->report.coverage.unknown_with_gpus() > 0;
  return fails((*run)->report.summary, arguments.review_fail_on) || (open && arguments.fail_on_unknown) ? 1 : 0;
}

}  // namespace muster
