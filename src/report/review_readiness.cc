#include <map>

#include "base/strings.h"
#include "report/review_parts.h"

namespace muster {
namespace {

Tone tone_of(const ReviewCheck& check) {
  switch (check.result) {
    case CheckResult::Pass: return Tone::Good;
    case CheckResult::Fail: return check.blocks ? Tone::Bad : Tone::Caution;
    case CheckResult::Unknown: return Tone::Caution;
    case CheckResult::NotNeeded: return Tone::Quiet;
  }
  return Tone::Plain;
}

std::string result_words(const ReviewCheck& check) {
  return check.result == CheckResult::NotNeeded ? "not needed" : std::string(name_of(check.result));
}

std::string verdict_words(const ReviewReadiness& dra) {
  if (dra.verdict == "ready") return "Ready: GPUs can be handed out by Dynamic Resource Allocation";
  if (dra.verdict == "pilot") return "Pilot: try Dynamic Resource Allocation on one pool";
  if (dra.verdict == "stay") return "Stay with the device plugin";
  if (dra.verdict == "blocked") return "Blocked: Dynamic Resource Allocation cannot hand out the GPUs";
  return "Whether the fleet could hand out GPUs by it is open";
}

/// What the table answers for each of the workloads, beside which the checks stand.
std::string decided_words(const Review& review) {
  std::map<std::string, std::vector<std::string>> by_value;
  for (const ReviewDecision& decision : review.decisions) {
    const bool asked = decision.id == "dra" && decision.choice.value && decision.choice.value != "none";
    if (!asked) continue;
    std::vector<std::string>& workloads = by_value[*decision.choice.value];
    workloads.insert(workloads.end(), decision.workloads.begin(), decision.workloads.end());
  }
  std::string out;
  for (const auto& [value, workloads] : by_value)
    out += (out.empty() ? "" : ", and ") + code(value) + " for " + name_list(workloads, 4);
  return out;
}

}  // namespace

PageSection readiness_section(const Review& review) {
  const ReviewReadiness& dra = review.dra;
  PageSection out{"dra", "Dynamic Resource Allocation", {}, {}};
  if (dra.verdict == "none") {
    out.blocks.push_back(missing("Not asked: " + prose(dra.because) + "."));
    return out;
  }
  const Tone tone = dra.verdict == "ready" ? Tone::Good : dra.verdict == "blocked" ? Tone::Bad : Tone::Caution;
  out.blocks.push_back(PageParagraph{verdict_words(dra) + "; " + prose(dra.because) + ".", tone});
  if (const std::string decided = decided_words(review); !decided.empty())
    out.blocks.push_back(PageParagraph{"Decided above, from what the work needs, is " + decided +
                                       ". The checks below say whether the fleet could do it."});
  PageTable table;
  table.head = {"Check", "Result", "Evidence", "Where", "Without it"};
  for (const ReviewCheck& check : dra.checks) {
    table.rows.push_back({{code(check.id) + ": " + check.asks, Tone::Plain, ""},
                          {result_words(check), tone_of(check), ""},
                          {prose(check.evidence), Tone::Plain, ""},
                          {place_words(check.place), Tone::Plain, ""},
                          {check.blocks ? "blocked" : "a pilot", Tone::Quiet, ""}});
  }
  out.blocks.push_back(std::move(table));
  return out;
}

}  // namespace muster
