#include <algorithm>

#include "base/strings.h"
#include "cli/command.h"
#include "cli/observe.h"
#include "pipeline/prove.h"
#include "pipeline/prove_worlds.h"
#include "report/proofs.h"
#include "worlds/worlds.h"

namespace muster {
namespace {

constexpr Property kProperties[] = {Property::Placeable, Property::AllOrNothing, Property::NoDeadlock,
                                    Property::NoLivelock, Property::QuotaConsistent};
constexpr std::int64_t kMostConcurrent = 1000;

Result<std::vector<Property>> read_properties(const std::vector<std::string>& words) {
  std::vector<Property> out;
  for (const Property property : kProperties) {
    if (words.empty() || std::ranges::find(words, name_of(property)) != words.end()) out.push_back(property);
  }
  const std::vector<std::string_view> known(std::begin(EnumNames<Property>::names),
                                            std::end(EnumNames<Property>::names));
  for (const std::string& word : words) {
    if (std::ranges::find(known, word) != known.end()) continue;
    return Error{Error::Code::Usage, "there is no property `" + word + "`" + did_you_mean(word, known) +
                                         "; known are " + join(known, ", ")};
  }
  return out;
}

struct SearchBudget {
  std::int64_t states = 0;
  std::int64_t seconds = 0;  ///< 0: as long as the states take
};

/// 200000, or 30s.
Result<SearchBudget> read_budget(std::string_view text) {
  constexpr std::int64_t kFirstStates = 20'000;
  constexpr std::int64_t kMost = 1'000'000'000;
  const bool seconds = text.ends_with('s');
  const std::optional<std::int64_t> value = parse_int(seconds ? text.substr(0, text.size() - 1) : text);
  if (!value || *value < 1 || *value > kMost) {
    return Error{Error::Code::Usage,
                 "--budget must be a number of states, or of seconds such as 30s; got `" + std::string(text) + "`"};
  }
  return seconds ? SearchBudget{kFirstStates, *value} : SearchBudget{*value, 0};
}

std::optional<Error> check_limits(const Arguments& arguments) {
  const auto wrong = [](std::string_view flag, std::string_view bounds) {
    return Error{Error::Code::Usage, std::string(flag) + " must be " + std::string(bounds)};
  };
  if (arguments.concurrent < 1 || arguments.concurrent > kMostConcurrent)
    return wrong("--concurrent", "between 1 and " + std::to_string(kMostConcurrent));
  if (arguments.faults < 0 || arguments.faults > 1000) return wrong("--faults", "between 0 and 1000");
  return std::nullopt;
}

}  // namespace

int run_prove(const Arguments& arguments, Console& console) {
  if (!arguments.observed.empty()) return run_observe(arguments, console);
  Result<std::vector<OutputTarget>> formats = read_formats(arguments, names_of_formats(proof_formats()));
  if (!formats) return fail(console, formats.error().message);
  Result<std::vector<Property>> properties = read_properties(arguments.properties);
  if (!properties) return fail(console, properties.error().message);
  if (std::optional<Error> error = check_limits(arguments)) return fail(console, error->message);
  const Result<SearchBudget> budget = read_budget(arguments.budget);
  if (!budget) return fail(console, budget.error().message);
  Result<Options> options = make_options(arguments, console);
  if (!options) return fail(console, options.error().message);
  Result<Workspace> workspace = read_workspace(*options, console.disk, BookUse::ForDecisions);
  if (!workspace) return fail(console, workspace.error().message);

  const FoundWorlds found = find_worlds(workspace->model, world_options(workspace->site.targets, arguments.concurrent));
  const ProveLimits limits{budget->states, 64, arguments.seed, arguments.faults};
  std::vector<std::vector<ProofResult>> results =
      prove_worlds(found.worlds, *properties, limits, budget->seconds, options->threads);
  std::vector<WorldProof> proofs;
  bool broken = false;
  bool open = !found.left_out.empty();
  for (std::size_t i = 0; i < found.worlds.size(); ++i) {
    proofs.push_back({&found.worlds[i], std::move(results[i])});
    for (const ProofResult& result : proofs.back().results) {
      broken = broken || result.verdict == Verdict::Counterexample;
      open = open || result.verdict == Verdict::Unknown;
    }
  }
  std::vector<UnprovedGang> left_out;
  for (const LeftOut& gang : found.left_out)
    left_out.push_back({workspace->model.gangs[gang.gang].id, workspace->model.gangs[gang.gang].where, gang.needs});
  std::ranges::stable_sort(left_out, {}, &UnprovedGang::needs);

  const SourceMap& sources = workspace->inputs.sources;
  for (const OutputTarget& target : *formats) {
    const std::string text =
        std::ranges::find(proof_formats(), target.format, &ProofFormat::name)->render(proofs, left_out, sources);
    if (std::optional<Error> error = write_output(target.path, text, console)) return fail(console, error->message);
  }
  // On standard error, so that the answer stays clean. What is wrong with other files is the business of `check`.
  std::vector<Finding> own;
  for (const Finding& finding : workspace->findings) {
    if (finding.rule.starts_with("own-file") || finding.rule.starts_with("yaml") ||
        finding.rule.starts_with("unreadable"))
      own.push_back(finding);
  }
  tell_findings(own, sources, console);
  return broken || !own.empty() || (open && arguments.fail_on_unknown) ? 1 : 0;
}

}  // namespace muster
