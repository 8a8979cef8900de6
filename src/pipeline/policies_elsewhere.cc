#include "pipeline/policies_elsewhere.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/strings.h"

namespace muster {

void forgive_other_policies(const Inputs& inputs, Model& model) {
  constexpr std::array<std::string_view, 6> kOthers{"CiliumNetworkPolicy",  "CiliumClusterwideNetworkPolicy",
                                                    "GlobalNetworkPolicy",  "AdminNetworkPolicy",
                                                    "ClusterNetworkPolicy", "projectcalico.org/"};
  const auto is_said = [](const Manifest& one) {
    return one.remarks->shut_by.is_set() || one.remarks->port_of_service.is_set();
  };
  if (std::ranges::none_of(model.manifests, is_said)) return;
  bool others = false;
  for (std::size_t i = 0; !others && i < inputs.files.size(); ++i) {
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    others = std::ranges::any_of(kOthers, [&](std::string_view kind) { return contains(text, kind); });
  }
  if (!others) return;
  for (Manifest& one : model.manifests) {
    if (!is_said(one)) continue;
    one.remarks.own().shut_by = {};
    one.remarks.own().port_of_service = {};
  }
}

void forgive_other_budgets(const Inputs& inputs, Model& model) {
  const auto is_said = [](const Manifest& one) { return one.remarks->empties.is_set(); };
  if (std::ranges::none_of(model.manifests, is_said)) return;
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    if (!inputs.files[i].context.path.ends_with(".tf")) continue;
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    if (!contains(text, "resource \"kubernetes_pod_disruption_budget")) continue;
    for (Manifest& one : model.manifests) {
      if (is_said(one)) one.remarks.own().empties = {};
    }
    return;
  }
}

}  // namespace muster
