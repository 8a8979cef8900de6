// What `ray up` makes a cluster of. Its nodes come one by one, without a gang, and no Kubernetes is asked for them.
#include <algorithm>
#include <array>

#include "input/artifact.h"
#include "input/kind.h"
#include "kubernetes/manifests.h"

namespace muster::ray_launcher {

/// Source: ray-project/ray:python/ray/autoscaler/ray-schema.json (2.60): both keys are required.
bool recognises(const Artifact& artifact) {
  constexpr std::array<std::string_view, 6> kOthers{
      "available_node_types", "head_node",    "head_start_ray_commands",
      "max_workers",          "worker_nodes", "worker_start_ray_commands"};
  const Node root = artifact.object;
  return root["cluster_name"].is_scalar() && root["provider"]["type"].is_scalar() &&
         std::ranges::any_of(kOthers, [&](std::string_view key) { return root[key].exists(); });
}

void normalise(const Artifact& artifact, const NormaliseContext& context) {
  const Node name = artifact.object["cluster_name"];
  Manifest one = whole_document(artifact.object, "ray_launchers", "config", "",
                                set_to(std::string(name.text()), name.where(), "cluster_name"), context.model.values);
  keep_document(std::move(one), "ray-launcher", name.text(), context);
}

}  // namespace muster::ray_launcher
