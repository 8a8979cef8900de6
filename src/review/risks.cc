#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "base/strings.h"
#include "report/words.h"
#include "review/fill.h"

namespace muster {
namespace {

constexpr std::size_t kPlacesKept = 8;
constexpr std::size_t kMostMended = 12;  ///< counterexamples that are drawn

/// GPUs that each object of the model asks for.
std::unordered_map<std::string_view, std::int64_t> gpus_by_object(const Model& model) {
  std::unordered_map<std::string_view, std::int64_t> out;
  for (const Gang& gang : model.gangs) {
    if (const std::int64_t* gpus = gang.gpus.get()) out[gang.id] = std::max(out[gang.id], *gpus);
  }
  return out;
}

/// The sum with a product more; what is too large stays as large as it was.
std::int64_t more_of(std::int64_t sum, std::int64_t count, std::int64_t each) {
  std::int64_t product = 0;
  std::int64_t out = 0;
  return __builtin_mul_overflow(count, each, &product) || __builtin_add_overflow(sum, product, &out) ? sum : out;
}

std::string percent_words(double share) { return std::to_string(static_cast<std::int64_t>(share * 100 + 0.5)) + " %"; }

class Risks {
 public:
  Risks(const ReviewSubject& subject, Review& review) : subject_(subject), review_(review) {}

  void run() {
    causes();
    for (const ReviewProof& proof : review_.proofs) proofs(proof);
    for (const ReviewGoodput& job : review_.goodput) goodput(job);
    owners();
    std::ranges::stable_sort(review_.risks, {}, [](const ReviewRisk& risk) {
      return std::tuple(risk.severity, rank_of(risk.effect), -risk.gpus, -static_cast<std::int64_t>(risk.count));
    });
  }

 private:
  static bool is_of_proof(std::string_view rule) {
    return rule == "gang-deadlock-reachable" || rule == "gang-partial-hold-reachable" || rule == "gang-never-fits";
  }

  static std::string what_follows(Effect effect) {
    if (effect == Effect::Deadlock) return "none of them ever runs, and what they hold is lost to everybody";
    if (effect == Effect::NeverRuns) return "it waits for ever";
    return "what it holds does nothing until the rest comes";
  }

  /// Objects of the gangs that a counterexample of the findings has.
  void find_deadlocked() {
    for (const ReviewProof& proof : review_.proofs) {
      for (const ProofResult& result : proof.proof.results) {
        if (!result.counterexample || !is_told(result.reason)) continue;
        for (const ProofHold& hold : result.counterexample->holds) {
          const std::optional<std::size_t>& gang = proof.proof.world->gangs[hold.gang].gang;
          if (gang) deadlocked_.insert(subject_.model.gangs[*gang].id);
        }
      }
    }
  }

  void causes() {
    find_deadlocked();
    const std::unordered_map<std::string_view, std::int64_t> gpus = gpus_by_object(subject_.model);
    std::map<std::pair<std::string_view, Severity>, std::set<std::string_view>> objects;
    for (const Finding& finding : subject_.report.findings)
      objects[{finding.rule, finding.severity}].insert(finding.object);
    for (const ReviewCause& cause : review_.causes) {
      if (cause.severity == Severity::Info) continue;
      ReviewRisk risk{cause.message, cause.follows,        cause.help, cause.severity, cause.effect, 0,
                      cause.count,   cause.places.front(), cause.rule};
      const std::set<std::string_view>& these = objects[{cause.rule, cause.severity}];
      if (risk.follows.starts_with(kMended)) std::swap(risk.follows, risk.help);
      if (is_of_proof(cause.rule)) {
        risk.follows = what_follows(cause.effect);
      } else if (std::ranges::includes(deadlocked_, these) && cause.effect == Effect::PartialPlacement &&
                 !these.empty()) {
        continue;  // the deadlock that follows is a risk already
      }
      for (const std::string_view object : is_of_proof(cause.rule) ? deadlocked_ : these) {
        const auto found = gpus.find(object);
        if (found != gpus.end()) risk.gpus = more_of(risk.gpus, found->second, 1);
      }
      review_.risks.push_back(std::move(risk));
    }
  }

  bool is_told(const std::string& reason) const {
    return std::ranges::any_of(subject_.report.findings,
                               [&](const Finding& finding) { return contains(finding.message, reason); });
  }

  /// A finding about a gang that never runs, for the same reason: its queue, or the nodes.
  bool is_found(const World& world, const ProofResult& result) const {
    if (result.property != Property::Placeable) return false;
    const std::optional<std::size_t>& gang = world.gangs[result.counterexample->holds.front().gang].gang;
    if (!gang) return false;
    const bool by_queue = result.counterexample->steps.empty();
    return std::ranges::any_of(subject_.report.findings, [&](const Finding& finding) {
      const bool of_queue = contains(finding.rule, "queue") || contains(finding.rule, "quota");
      return finding.object == subject_.model.gangs[*gang].id && finding.severity != Severity::Info &&
             finding.effect == Effect::NeverRuns && of_queue == by_queue;
    });
  }

  /// What check keeps to itself, because something had to be taken as given. World files ask what if.
  void proofs(const ReviewProof& proof) {
    const World& world = *proof.proof.world;
    const bool asks_what_if = std::ranges::any_of(subject_.model.worlds, [&](const World& one) {
      return one.where == world.where && one.name.value == world.name.value;
    });
    if (asks_what_if) return;
    std::set<std::vector<std::size_t>> deadlocked;
    for (const ProofResult& result : proof.proof.results) {
      if (result.property == Property::NoDeadlock && result.counterexample) deadlocked.insert(result.pools);
    }
    for (const ProofResult& result : proof.proof.results) {
      if (!result.counterexample || is_told(result.reason) || is_found(world, result)) continue;
      if (result.property == Property::AllOrNothing && deadlocked.contains(result.pools)) continue;
      ReviewRisk risk;
      risk.what = result.reason;
      risk.effect = result.property == Property::NoDeadlock  ? Effect::Deadlock
                    : result.property == Property::Placeable ? Effect::NeverRuns
                                                             : Effect::PartialPlacement;
      risk.severity = world.assumes.empty() ? Severity::Error : Severity::Warning;
      if (!world.assumes.empty()) risk.follows = "taken as given: " + join(world.assumes, "; ");
      if (risk.follows.empty()) risk.follows = what_follows(risk.effect);
      if (!result.counterexample->repairs.empty()) risk.help = result.counterexample->repairs.front();
      for (const ProofHold& hold : result.counterexample->holds) {
        for (const WorldRole& role : world.gangs[hold.gang].roles)
          risk.gpus = more_of(risk.gpus, role.pods, role.gpus_per_pod);
      }
      const Span& where = world.gangs[result.counterexample->holds.front().gang].where;
      risk.place = place_of(where, *subject_.report.sources);
      review_.risks.push_back(std::move(risk));
    }
  }

  void goodput(const ReviewGoodput& job) {
    const Goodput& goodput = job.goodput;
    if (!goodput.share || *goodput.share >= kWantedGoodput) return;
    ReviewRisk risk;
    risk.what = "`" + job.workload + "` makes progress in " + percent_words(*goodput.share) + " of its time";
    risk.follows = "interruptions, checkpoints and recovery take the rest of " +
                   count_of(static_cast<std::size_t>(goodput.gpus), "GPU");
    risk.help = goodput.best_share && *goodput.best_share > *goodput.share + 0.005
                    ? "write checkpoints every " + duration_words(*goodput.best_interval) + ": " +
                          percent_words(*goodput.best_share)
                    : "make checkpoints or recovery faster";
    risk.severity = Severity::Warning;
    risk.effect = Effect::Degraded;
    risk.gpus = static_cast<std::int64_t>(static_cast<double>(goodput.gpus) * (1 - *goodput.share));
    review_.risks.push_back(std::move(risk));
  }

  /// Source: "blurred ownership is where reliability incidents hide", orchestration decision guide.
  void owners() {
    if (!review_.has_fleet) return;
    for (const auto& [owner, plane] : {std::pair{&review_.workload_owner, "workload plane"},
                                       {&review_.runtime_owner, "node runtime plane"},
                                       {&review_.fleet_owner, "fleet plane"}}) {
      if (!owner->empty()) continue;
      ReviewRisk risk;
      risk.what = "nobody is named who owns the " + std::string(plane);
      risk.follows = "an incident on the border of two planes belongs to nobody";
      risk.help = "name its owner under `planes` in the fleet file";
      risk.severity = Severity::Info;
      review_.risks.push_back(std::move(risk));
    }
  }

  static constexpr std::string_view kMended = "mended when you ";

  const ReviewSubject& subject_;
  Review& review_;
  std::set<std::string_view> deadlocked_;
};

}  // namespace

int rank_of(Effect effect) {
  constexpr std::array kWorstFirst{Effect::Deadlock, Effect::PartialPlacement, Effect::NeverRuns,
                                   Effect::Crash,    Effect::Rejected,         Effect::Exposed,
                                   Effect::Degraded, Effect::Ignored,          Effect::Risk};
  return static_cast<int>(std::ranges::find(kWorstFirst, effect) - kWorstFirst.begin());
}

ReviewPlace place_of(const Span& where, const SourceMap& sources) {
  if (!where.placed()) return {};
  return {sources.file(where.file).path(), sources.begin_of(where).line};
}

void fill_causes(const ReviewSubject& subject, Review& review) {
  std::map<std::tuple<Plane, std::string_view, Severity>, std::size_t> groups;
  for (const Finding& finding : subject.report.findings) {
    const auto [at, fresh] = groups.try_emplace({finding.plane, finding.rule, finding.severity}, review.causes.size());
    if (fresh) {
      review.causes.push_back({finding.rule,
                               finding.severity,
                               finding.effect,
                               finding.plane,
                               finding.message,
                               replace_all(finding.follows, "\n", " "),
                               replace_all(finding.help, "\n", " "),
                               {},
                               0});
    }
    ReviewCause& cause = review.causes[at->second];
    ++cause.count;
    if (cause.places.size() < kPlacesKept) cause.places.push_back(place_of(finding.where, *subject.report.sources));
  }
  std::ranges::stable_sort(review.causes, {}, [](const ReviewCause& cause) {
    return std::tuple(cause.plane, cause.severity, rank_of(cause.effect), -static_cast<std::int64_t>(cause.count));
  });
}

void fill_risks(const ReviewSubject& subject, Review& review) { Risks(subject, review).run(); }

void fill_proofs(const ReviewSubject& subject, Review& review) {
  review.left_out = subject.left_out;
  std::size_t mended = 0;
  for (const WorldProof& proof : subject.proofs) {
    ReviewProof one{proof, {}};
    for (const ProofResult& result : proof.results) {
      const bool drawn = result.counterexample && !result.counterexample->steps.empty() && ++mended <= kMostMended;
      one.mended.push_back(drawn ? mended_run(*proof.world, result, subject.limits) : std::nullopt);
    }
    review.proofs.push_back(std::move(one));
  }
  // What is broken comes first.
  std::ranges::stable_sort(review.proofs, {}, [](const ReviewProof& proof) {
    return std::ranges::none_of(proof.proof.results,
                                [](const ProofResult& result) { return result.counterexample.has_value(); });
  });
}

}  // namespace muster
