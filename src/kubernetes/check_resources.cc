#include "kubernetes/check_resources.h"

#include <array>
#include <optional>
#include <string>

#include "base/quantity.h"

namespace muster {
namespace {

struct NearlyKnown {
  std::string_view name;
  std::string_view meant;
};
// Sources: NVIDIA/k8s-device-plugin:README.md (0.17); ROCm/k8s-device-plugin:README.md; kubernetes/kubernetes:
// CHANGELOG/CHANGELOG-1.11.md, which took alpha.kubernetes.io/nvidia-gpu away.
constexpr std::array<NearlyKnown, 12> kNearlyKnown{{{"alpha.kubernetes.io/nvidia-gpu", "nvidia.com/gpu"},
                                                    {"amd.com/GPU", "amd.com/gpu"},
                                                    {"amd.com/gpus", "amd.com/gpu"},
                                                    {"amd/gpu", "amd.com/gpu"},
                                                    {"google.com/tpus", "google.com/tpu"},
                                                    {"gpu", "nvidia.com/gpu"},
                                                    {"gpus", "nvidia.com/gpu"},
                                                    {"nvidia-gpu", "nvidia.com/gpu"},
                                                    {"nvidia.com.gpu", "nvidia.com/gpu"},
                                                    {"nvidia.com/gpus", "nvidia.com/gpu"},
                                                    {"nvidia/gpu", "nvidia.com/gpu"},
                                                    {"nvidia/gpus", "nvidia.com/gpu"}}};

/// Of what the scheduler counts in parts; devices are rules of their own.
void check_requests(const Node& resources, std::vector<Finding>& findings) {
  for (const std::string_view name : {"cpu", "memory", "ephemeral-storage"}) {
    const Node request = resources["requests"][name];
    const Node limit = resources["limits"][name];
    if (!request.is_scalar() || !limit.is_scalar()) continue;
    const std::optional<Quantity> asked = Quantity::parse(request.text());
    const std::optional<Quantity> most = Quantity::parse(limit.text());
    if (!asked || !most || *asked <= *most) continue;
    findings.push_back(problem("request-above-limit", request.where(),
                               "it requests `" + std::string(request.text()) + "` of " + std::string(name) +
                                   ", and its limit is `" + std::string(limit.text()) + "`"));
    findings.back().field = name;
    findings.back().related.push_back({limit.where(), SharedText("the limit")});
  }
}

}  // namespace

void check_resources(const Node& container, std::vector<Finding>& findings) {
  check_requests(container["resources"], findings);
  for (const std::string_view list : {"limits", "requests"}) {
    const Node amounts = container["resources"][list];
    for (std::size_t i = 0; amounts.is_mapping() && i < amounts.size(); ++i) {
      for (const NearlyKnown& one : kNearlyKnown) {
        if (amounts.key(i).text() != one.name) continue;
        findings.push_back(problem(
            "accelerator-name-unknown", amounts.key(i).where(),
            "no device plugin offers `" + std::string(one.name) + "`; did you mean `" + std::string(one.meant) + "`?"));
        findings.back().field = one.name;
        return;
      }
    }
  }
}

}  // namespace muster
