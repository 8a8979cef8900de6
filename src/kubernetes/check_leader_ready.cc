#include "kubernetes/check_leader_ready.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "gang/coupling.h"

namespace muster {
namespace {

constexpr std::size_t kMostLeaderWords = 1000;

bool is_several(std::string_view number) {
  if (const auto count = parse_int(number)) return *count > 1;
  return contains(number, "LWS_GROUP_SIZE");
}

/// Whether a program answers only after the other nodes have joined. Sources:
/// vllm-project/vllm:examples/online_serving/multi-node-serving.sh (0.11), which waits for so many nodes of Ray;
/// docs.sglang.ai/references/multi_node_deployment: one world of all nodes.
bool waits_for_all(const Node& container) {
  std::string all;
  for (const std::string_view list : {"command", "args"}) {
    const Node words = container[list];
    for (std::size_t i = 0; words.is_sequence() && i < std::min(words.size(), kMostLeaderWords); ++i)
      all += std::string(words.item(i).text()) + " ";
  }
  if (is_several(option_value(all, "--ray_cluster_size"))) return true;
  return contains(all, "sglang") && contains(all, "--dist-init-addr") && is_several(option_value(all, "--nnodes"));
}

/// A probe of the model server: the ports of Ray's head answer before the workers join, and a command may ask anything.
bool asks_server(const Node& probe) {
  if (probe["httpGet"].exists()) return probe["httpGet"]["port"].text() != "8265";
  const Node port = probe["tcpSocket"]["port"];
  return port.is_scalar() && port.text() != "6379" && port.text() != "8265";
}

}  // namespace

/// Source: kubernetes-sigs/lws:pkg/controllers/pod_controller.go (0.9): no StatefulSet of workers before.
void check_leader_ready(const Node& spec, std::vector<Finding>& findings) {
  const Node policy = spec["startupPolicy"];
  const Node group = spec["leaderWorkerTemplate"];
  if (policy.text() != "LeaderReady" || parse_int(group["size"].text()).value_or(1) < 2) return;
  const Node leader = group["leaderTemplate"];
  const Node containers = leader["spec"]["containers"];
  for (std::size_t c = 0; containers.is_sequence() && c < std::min(containers.size(), kMostLeaderWords); ++c) {
    const Node one = containers.item(c);
    const Node probe = one["readinessProbe"].exists() ? one["readinessProbe"] : one["startupProbe"];
    if (!asks_server(probe) || !waits_for_all(one)) continue;
    findings.push_back(problem("leader-ready-waits-for-workers", policy.where(),
                               "the workers are made when the leader is ready, and container `" +
                                   std::string(one["name"].text()) + "` is ready when the workers have joined"));
    findings.back().field = "startupPolicy";
    findings.back().related.push_back({probe.where(), "what it is asked"});
    findings.back().about = About::Whole;
    return;
  }
}

}  // namespace muster
