#include "kubernetes/check_tpu_hosts.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::int64_t kMostChips = 100'000;

std::optional<std::int64_t> chip_count(std::string_view text) {
  const std::optional<std::int64_t> count = parse_int(text);
  return count && *count > 0 && *count <= kMostChips ? count : std::nullopt;
}

/// 8 of `2x4`.
std::optional<std::int64_t> chips_of(std::string_view topology) {
  std::int64_t chips = 1;
  for (const std::string_view side : split(topology, 'x')) {
    const std::optional<std::int64_t> count = chip_count(side);
    if (!count || chips * *count > kMostChips) return std::nullopt;
    chips *= *count;
  }
  return chips;
}

/// Of all containers together, as their limits say it.
std::optional<std::int64_t> chips_each(const Node& containers) {
  std::int64_t all = 0;
  for (std::size_t c = 0; containers.is_sequence() && c < containers.size(); ++c) {
    const Node resources = containers.item(c)["resources"];
    const Node limit = resources["limits"]["google.com/tpu"];
    if (!limit.exists() && resources["requests"]["google.com/tpu"].exists()) return std::nullopt;
    if (!limit.exists()) continue;
    const std::optional<std::int64_t> count = limit.is_scalar() ? chip_count(limit.text()) : std::nullopt;
    if (!count) return std::nullopt;
    all += *count;
  }
  return all > 0 ? std::optional(all) : std::nullopt;
}

}  // namespace

/// Source: ai-on-gke/kuberay-tpu-webhook:main.go, checkWorkersMatchTopology (1.3).
void check_tpu_hosts(const Node& group, std::vector<Finding>& findings) {
  const Node pod = group["template"]["spec"];
  const Node topology = pod["nodeSelector"]["cloud.google.com/gke-tpu-topology"];
  const Node hosts = group["numOfHosts"];
  if (!topology.is_scalar() || (hosts.exists() && !hosts.is_scalar())) return;
  const std::optional<std::int64_t> chips = chips_of(topology.text());
  const std::optional<std::int64_t> each = chips_each(pod["containers"]);
  const std::optional<std::int64_t> written =
      hosts.exists() ? chip_count(hosts.text()) : std::optional<std::int64_t>(1);
  if (!chips || !each || !written) return;
  const std::int64_t wanted = std::max<std::int64_t>(*chips / *each, 1);
  if (*written == wanted) return;
  findings.push_back(problem("ray-hosts-differ-from-slice", hosts.exists() ? hosts.where() : topology.where(),
                             "a slice of " + std::string(topology.text()) + " with " + std::to_string(*each) +
                                 " chips a pod has " + std::to_string(wanted) + " hosts, and `numOfHosts` is " +
                                 std::to_string(*written) + (hosts.exists() ? "" : ", where nothing is written")));
  findings.back().field = "numOfHosts";
  findings.back().about = About::Whole;
}

}  // namespace muster
