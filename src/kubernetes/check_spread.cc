#include "kubernetes/check_spread.h"

#include <algorithm>
#include <string>

#include "base/strings.h"
#include "syntax/placeholder.h"
#include "syntax/read_value.h"

namespace muster {
namespace {

constexpr std::size_t kMostConstraints = 50;

/// Controllers of Kubernetes itself add some.
bool is_added_label(std::string_view key) {
  return contains(key, "/") || key == "job-name" || key == "controller-uid" || key == "pod-template-hash" ||
         key == "controller-revision-hash";
}

/// The value of the first label that the pods do not have so; none: they may have all.
Node unmet_label(const Node& wanted, const Node& labels, bool labelled) {
  for (std::size_t i = 0; wanted.is_mapping() && i < std::min(wanted.size(), kMostConstraints); ++i) {
    const Node key = wanted.key(i);
    const Node value = wanted.value(i);
    if (is_unsaid(key) || is_unsaid(value) || key.text() == "<<") return {};
    const Node label = labels[key.text()];
    if (label.exists() ? !is_unsaid(label) && label.text() != value.text() : !labelled && !is_added_label(key.text()))
      return value;
  }
  return {};
}

}  // namespace

/// Source: kubernetes/kubernetes:pkg/scheduler/framework/plugins/podtopologyspread/filtering.go, Filter (1.36).
void check_spread(const Node& pod_template, bool labelled, std::vector<Finding>& findings) {
  const Node labels = pod_template["metadata"]["labels"];
  const Node constraints = pod_template["spec"]["topologySpreadConstraints"];
  if (!labels.is_mapping() || labels["<<"].exists() || labels.size() == 0) return;
  for (std::size_t i = 0; constraints.is_sequence() && i < std::min(constraints.size(), kMostConstraints); ++i) {
    const Node value = unmet_label(constraints.item(i)["labelSelector"]["matchLabels"], labels, labelled);
    if (!value.exists()) continue;
    findings.push_back(problem("spread-selects-other-pods", value.where(),
                               "the pods are to be spread by those labelled `" + std::string(value.text()) +
                                   "`, and are not labelled so themselves"));
    findings.back().field = "topologySpreadConstraints";
    findings.back().about = About::Whole;
  }
}

}  // namespace muster
