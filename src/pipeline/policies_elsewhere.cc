#include "pipeline/policies_elsewhere.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/strings.h"
#include "pipeline/document_words.h"

namespace muster {

bool has_other_policies(const Inputs& inputs) {
  constexpr std::array<std::string_view, 6> kOthers{"CiliumNetworkPolicy",  "CiliumClusterwideNetworkPolicy",
                                                    "GlobalNetworkPolicy",  "AdminNetworkPolicy",
                                                    "ClusterNetworkPolicy", "projectcalico.org/"};
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    if (std::ranges::any_of(kOthers, [&](std::string_view kind) { return contains(text, kind); })) return true;
  }
  return false;
}

void forgive_other_policies(const Inputs& inputs, Model& model) {
  const auto is_said = [](const Manifest& one) {
    return one.remarks->shut_by.is_set() || one.remarks->port_of_service.is_set();
  };
  if (std::ranges::none_of(model.manifests, is_said) || !has_other_policies(inputs)) return;
  for (Manifest& one : model.manifests) {
    if (!is_said(one)) continue;
    one.remarks.own().shut_by = {};
    one.remarks.own().port_of_service = {};
  }
}

namespace {

/// Whether a text installs Istio so that its proxies are sidecars of Kubernetes: switched on, or release 1.27 and
/// later.
bool has_native_proxies(std::string_view text) {
  if (contains(text, "ENABLE_NATIVE_SIDECARS")) return true;
  if (!contains(text, "istiod") && !contains(text, "IstioOperator")) return false;
  for (const std::string_view release : {"1.27", "1.28", "1.29", "1.30", "1.31", "1.32"}) {
    for (std::size_t at = text.find(release); at != text.npos; at = text.find(release, at + 1)) {
      const bool begins = at == 0 || (!is_digit(text[at - 1]) && text[at - 1] != '.');
      const std::string_view behind = text.substr(at + release.size(), 1);
      if (begins && (behind.empty() || !is_digit(behind[0]))) return true;
    }
  }
  return false;
}

}  // namespace

void forgive_native_proxies(const Inputs& inputs, Model& model) {
  const auto is_said = [](const Manifest& one) { return one.remarks->injected.is_set(); };
  if (std::ranges::none_of(model.manifests, is_said)) return;
  const auto text = [&](std::size_t i) { return inputs.sources.file(static_cast<FileId>(i)).text(); };
  bool native = false;
  for (std::size_t i = 0; !native && i < inputs.files.size(); ++i) native = has_native_proxies(text(i));
  DocumentWords host_network(inputs, {"hostNetwork: true"});
  DocumentWords of_istio(inputs, {"istio.io/"});
  for (Manifest& one : model.manifests) {
    if (!is_said(one)) continue;
    const Span& where = one.remarks->injected->where;
    // Pods in the network of their node get none; of a CronJob the annotations are no part of the model.
    const bool aside = static_cast<std::size_t>(where.file) >= inputs.files.size() || host_network.said_around(where) ||
                       (one.kind == "CronJob" && of_istio.said_around(where));
    if (native || aside) one.remarks.own().injected = {};
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
