#include "kubernetes/check_workflow_retries.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::size_t kMostRetriedSteps = 1000;

struct SpotLabel {
  std::string_view key;
  std::string_view value;
};
// The labels of rule gang-on-spot-nodes, whose sources they have.
constexpr std::array kSpotLabels{
    SpotLabel{"cloud.google.com/gke-preemptible", "true"},      SpotLabel{"cloud.google.com/gke-spot", "true"},
    SpotLabel{"eks.amazonaws.com/capacityType", "SPOT"},        SpotLabel{"karpenter.sh/capacity-type", "spot"},
    SpotLabel{"kubernetes.azure.com/scalesetpriority", "spot"},
};

bool selects_spot(const Node& selector) {
  return std::ranges::any_of(kSpotLabels,
                             [&](const SpotLabel& label) { return selector[label.key].text() == label.value; });
}

/// Whether it says what is tried again, or may.
bool says_policy(const Node& retry) {
  return retry["retryPolicy"].exists() || retry["expression"].exists() || retry["<<"].exists() ||
         (retry.exists() && !retry.is_mapping() && !retry.is_null());
}

bool runs_pods(const Node& step) { return step["container"].exists() || step["script"].exists(); }

}  // namespace

/// Source: argoproj/argo-workflows:docs/retries.md: OnFailure where neither a policy nor an expression is written.
void check_workflow_retries(const Node& spec, std::vector<Finding>& findings) {
  const bool all_on_spot = selects_spot(spec["nodeSelector"]);
  const Node of_all = spec["templateDefaults"]["retryStrategy"];  // laid below that of each template, key by key
  if (says_policy(of_all)) return;
  const Node templates = spec["templates"];
  for (std::size_t i = 0; templates.is_sequence() && i < std::min(templates.size(), kMostRetriedSteps); ++i) {
    const Node step = templates.item(i);
    const Node own = step["retryStrategy"];
    const Node retry = own.exists() ? own : of_all;
    if (!retry.is_mapping() || !runs_pods(step) || says_policy(own)) continue;
    if ((own["limit"].exists() ? own : of_all)["limit"].text() == "0") continue;
    const Node selector = step["nodeSelector"];
    if (!(selector.exists() ? selects_spot(selector) : all_on_spot)) continue;
    findings.push_back(problem("workflow-retries-no-lost-pod", retry.key_where(),
                               "steps of " + in_ticks(step["name"].text()) +
                                   " stand on nodes that may be taken away, and are tried again when they fail, not "
                                   "when their pod is gone: `retryPolicy` is not set"));
    findings.back().field = "retryPolicy";
    findings.back().about = About::Whole;
    return;
  }
}

}  // namespace muster
