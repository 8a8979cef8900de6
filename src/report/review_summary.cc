#include <algorithm>
#include <map>

#include "base/strings.h"
#include "report/review_parts.h"
#include "report/review_pictures.h"

namespace muster {
namespace {

constexpr std::size_t kDecisionsOnFront = 8;
constexpr std::size_t kRisksOnFront = 3;
constexpr std::size_t kQuestionsOnFront = 3;

/// What is chosen, whatever the reason: what is needed nowhere and the further outputs of a table are left to the
/// section of the decisions, and so is what the work calls for by itself where the fleet says where it goes. What is
/// open is one line a decision.
std::vector<ReviewDecision> choices_alone(const Review& review) {
  const bool placed = std::ranges::find(review.decisions, "placement", &ReviewDecision::id) != review.decisions.end();
  const auto is_overruled = [&](const ReviewDecision& decision) {
    return review.has_fleet && placed && (decision.id == "control-plane" || decision.id == "host");
  };
  std::vector<ReviewDecision> out;
  for (const ReviewDecision& decision : review.decisions) {
    if (is_overruled(decision) || decision.choice.value == "none" || decision.id.find('.') != std::string::npos)
      continue;
    const auto same = std::ranges::find_if(out, [&](const ReviewDecision& other) {
      return other.id == decision.id && other.choice.value == decision.choice.value &&
             other.workloads.empty() == decision.workloads.empty();
    });
    if (same == out.end()) {
      out.push_back(decision);
      continue;
    }
    same->workloads.insert(same->workloads.end(), decision.workloads.begin(), decision.workloads.end());
    for (const std::string& value : decision.choice.possible) {
      if (std::ranges::find(same->choice.possible, value) == same->choice.possible.end())
        same->choice.possible.push_back(value);
    }
  }
  return out;
}

std::string counts_words(const Review& review) {
  std::size_t broken = 0;
  std::size_t open = 0;
  for (const ReviewProof& proof : review.proofs) {
    for (const ProofResult& result : proof.proof.results) {
      broken += result.verdict == Verdict::Counterexample ? 1 : 0;
      open += result.verdict == Verdict::Unknown ? 1 : 0;
    }
  }
  std::size_t baked = 0;
  std::size_t unsettled = 0;
  for (const ReviewDecision& decision : choices_alone(review)) {
    if (!decision.choice.value) ++unsettled;
    if (decision.choice.value && decision.choice.reversibility == Reversibility::BakedIn) ++baked;
  }
  const Summary& summary = review.report->summary;
  return count_of(baked, "baked-in choice") + ", " + count_of(unsettled, "choice") + " still open; " +
         count_of(summary.errors, "error") + " and " + count_of(summary.warnings, "warning") + " in " +
         count_of(summary.artifacts, "artifact") + "; " + count_of(broken, "counterexample") + " and " +
         count_of(open, "unknown verdict") + " about gangs.";
}

std::string fleet_words(const Review& review) {
  std::string out = code(review.name) + ": " + with_thousands(static_cast<std::uint64_t>(review.nodes)) + " nodes in " +
                    count_of(review.pools.size(), "pool");
  if (review.gpus) out += ", " + with_thousands(static_cast<std::uint64_t>(*review.gpus)) + " GPUs";
  if (!review.stage.empty()) out += ", " + review.stage;
  return out + ".";
}

PageSection planes_part(const Review& review) {
  PageSection out{"planes", "Planes, pools and owners", {}, {}};
  if (!review.has_fleet) {
    const std::string what = review.fleets > 1
                                 ? "The input has " + std::to_string(review.fleets) +
                                       " fleet files, and which one is meant is not said: give one with "
                                 : "Without a fleet file nobody knows planes, owners and pools: make one "
                                   "with " +
                                       code("muster inventory DUMP... -o fleet.yaml") + " and give it with ";
    out.blocks.push_back(missing(what + code("--fleet fleet.yaml") + "."));
    return out;
  }
  out.blocks.push_back(PageFigures{{planes_figure(review)}});
  return out;
}

PageSection choices_part(const Review& review) {
  PageSection out{"choices", "Decisions, and how hard they are to undo", {}, {}};
  if (!review.has_workloads) {
    out.blocks.push_back(missing("Without a workloads file nothing is decided: describe the work (" +
                                 code("muster schema workloads") + ") and give it with " +
                                 code("--workloads workloads.yaml") + "."));
    return out;
  }
  PageTable table;
  table.head = {"Decision", "Choice", "For", "To undo", "Binds for"};
  std::size_t shown = 0;
  for (const ReviewDecision& decision : choices_alone(review)) {
    if (++shown > kDecisionsOnFront) continue;
    table.rows.push_back(
        {{decision_words(decision), Tone::Plain, "decisions"},
         {choice_words(decision.choice), decision.choice.value ? Tone::Plain : Tone::Quiet, ""},
         {decision.workloads.empty() ? "the fleet" : name_list(decision.workloads, 4), Tone::Plain, ""},
         {std::string(name_of(decision.choice.reversibility)), tone_of(decision.choice.reversibility), ""},
         {decision.choice.horizon, Tone::Plain, ""}});
  }
  out.blocks.push_back(std::move(table));
  if (shown > kDecisionsOnFront)
    out.blocks.push_back(PageParagraph{count_of(shown - kDecisionsOnFront, "more decision") + " below."});
  return out;
}

PageSection risks_part(const Review& review) {
  PageSection out{"risks", "The largest risks", {}, {}};
  if (review.risks.empty()) {
    out.blocks.push_back(
        PageParagraph{"Nothing that muster looks for is wrong. What it does not look at stands under "
                      "\"What was not checked\"."});
    return out;
  }
  PageTable table;
  table.head = {"Risk", "What follows", "What to do", "At stake"};
  for (std::size_t i = 0; i < std::min(review.risks.size(), kRisksOnFront); ++i) {
    const ReviewRisk& risk = review.risks[i];
    std::string at_stake(name_of(risk.effect));
    if (risk.gpus > 0) at_stake += ", " + count_of(static_cast<std::size_t>(risk.gpus), "GPU");
    if (risk.count > 1) at_stake += ", " + with_thousands(risk.count) + " places";
    const std::string place = place_words(risk.place);
    table.rows.push_back({{prose(risk.what) + (place.empty() ? "" : " (" + place + ")"), Tone::Plain, ""},
                          {prose(risk.follows), Tone::Plain, ""},
                          {prose(risk.help), Tone::Plain, ""},
                          {at_stake, tone_of(risk.severity), ""}});
  }
  out.blocks.push_back(std::move(table));
  return out;
}

PageSection questions_part(const Review& review) {
  PageSection out{"questions", "Open questions, and who can answer", {}, {}};
  if (review.questions.empty()) {
    out.blocks.push_back(PageParagraph{"None: every decision and judgement had the facts it needs."});
    return out;
  }
  PageTable table;
  table.head = {"Question", "Decides", "Who can answer", "Where to write it"};
  for (std::size_t i = 0; i < std::min(review.questions.size(), kQuestionsOnFront); ++i) {
    const ReviewQuestion& question = review.questions[i];
    table.rows.push_back({{prose(question.asks), Tone::Plain, ""},
                          {prose(question.settles), Tone::Plain, ""},
                          {prose(question.who), Tone::Plain, ""},
                          {prose(question.how), Tone::Plain, ""}});
  }
  out.blocks.push_back(std::move(table));
  if (review.questions.size() > kQuestionsOnFront)
    out.blocks.push_back(PageParagraph{count_of(review.questions.size() - kQuestionsOnFront, "more question") + "; " +
                                       code("--format json") + " lists them."});
  return out;
}

}  // namespace

PageSection summary_section(const Review& review) {
  PageSection out{"summary", "On one page", {}, {}};
  if (review.has_fleet) out.blocks.push_back(PageParagraph{fleet_words(review)});
  out.blocks.push_back(PageParagraph{counts_words(review)});
  out.parts = {planes_part(review), choices_part(review), risks_part(review), questions_part(review)};
  return out;
}

}  // namespace muster
