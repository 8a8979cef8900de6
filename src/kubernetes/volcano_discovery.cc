#include <algorithm>
#include <array>

#include "gang/manifest.h"
#include "syntax/embedded.h"
#include "syntax/read_value.h"

namespace muster::volcano_discovery {
namespace {

// Source: volcano-sh/volcano:installer/helm/chart/volcano/templates/controller_configmap.yaml (1.15).
constexpr std::string_view kKey = "volcano-controller.conf";

// Those that register themselves. Source: volcano-sh/volcano:pkg/controllers/hypernode/discovery (1.15).
constexpr std::array<std::string_view, 2> kSources{"label", "ufm"};

}  // namespace

bool recognises(const Artifact& artifact) { return artifact.object["data"][kKey].is_scalar(); }

/// v1 ConfigMap with the configuration of Volcano's controllers.
void normalise(const Artifact& artifact, const NormaliseContext& context) {
  const Embedded text = read_embedded(artifact.object["data"][kKey], context.sources.file(artifact.file).text());
  const Node list = text.document.root()["networkTopologyDiscovery"];
  for (std::size_t i = 0; list.is_sequence() && i < list.size(); ++i) {
    const Node source = list.item(i)["source"];
    const bool known = std::ranges::find(kSources, source.text()) != kSources.end();
    if (known || !source.is_scalar() || !is_true(list.item(i)["enabled"])) continue;
    context.findings.push_back(problem("volcano-discovery-unknown", text.where(source.where()),
                                       "Volcano discovers no network by `" + std::string(source.text()) + "`"));
  }
}

}  // namespace muster::volcano_discovery
