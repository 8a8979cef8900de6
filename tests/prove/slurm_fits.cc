// A scheduler of whole jobs in a few lines, apart from the prover.
#include "prove/slurm_fits.h"

#include <map>
#include <set>
#include <string>

namespace muster::test {
namespace {

/// One class a node, or several nodes of one class.
const WorldNodes& node_at(const World& world, std::int64_t node) {
  for (const WorldNodes& nodes : world.pools.front().nodes) {
    if (node < nodes.count) return nodes;
    node -= nodes.count;
  }
  return world.pools.front().nodes.back();
}

std::int64_t nodes_of(const World& world) {
  std::int64_t count = 0;
  for (const WorldNodes& nodes : world.pools.front().nodes) count += nodes.count;
  return count;
}

class Tries {
 public:
  Tries(const World& world, const WorldGang& gang, std::vector<std::int64_t> free)
      : world_(world), gang_(gang), free_(std::move(free)) {}

  /// Pods of role `r`, the one numbered `pod` and on, from `node` on.
  bool place(std::size_t r, std::int64_t pod, std::int64_t node, const std::string& domain) {
    if (r == gang_.roles.size()) return true;
    const bool bends = gang_.roles.size() == 1 && gang_.mechanism == Mechanism::Atomic;
    const std::int64_t wanted = bends ? gang_.guaranteed.value : gang_.roles[r].pods;
    if (pod == wanted) return place(r + 1, 0, 0, domain);
    for (std::int64_t n = node; n < nodes_of(world_); ++n) {
      const std::size_t i = static_cast<std::size_t>(n);
      if (free_[i] < gang_.roles[r].gpus_per_pod || !has_labels(world_, n, gang_.roles[r]) || !stands_in(n, domain) ||
          !beside(r, pod, n))
        continue;
      const std::int64_t before = free_[i];
      free_[i] = gang_.one_per_node ? -1 : before - gang_.roles[r].gpus_per_pod;  // -1: for no other pod of the job
      const bool fits = place(r, pod + 1, n, domain);
      free_[i] = before;
      if (fits) return true;
      if (gang_.mechanism == Mechanism::OrderedAtomic) return false;
    }
    return false;
  }

 private:
  bool stands_in(std::int64_t node, const std::string& domain) const {
    if (domain.empty()) return true;
    const auto own = node_at(world_, node).domains.find(gang_.domain);
    return own != node_at(world_, node).domains.end() && own->second == domain;
  }

  /// In the domain of the first pod of a role that has to stand in one.
  bool beside(std::size_t r, std::int64_t pod, std::int64_t node) {
    const std::string& level = gang_.roles[r].domain;
    if (level.empty()) return true;
    const std::string own = domain_at(world_, node, level);
    if (pod == 0) chosen_[r] = own;
    return !own.empty() && chosen_[r] == own;
  }

  const World& world_;
  const WorldGang& gang_;
  std::vector<std::int64_t> free_;
  std::map<std::size_t, std::string> chosen_;  ///< by role
};

}  // namespace

bool has_labels(const World& world, std::int64_t node, const WorldRole& role) {
  for (const auto& [key, value] : role.selector) {
    const auto label = node_at(world, node).labels.find(key);
    if (label == node_at(world, node).labels.end() || label->second != value) return false;
  }
  return true;
}

std::string domain_at(const World& world, std::int64_t node, const std::string& level) {
  const auto own = node_at(world, node).domains.find(level);
  return own == node_at(world, node).domains.end() ? "" : own->second;
}

std::vector<std::int64_t> free_gpus(const World& world, const std::vector<PlacedPod>& pods) {
  std::vector<std::int64_t> free;
  for (std::int64_t n = 0; n < nodes_of(world); ++n) free.push_back(node_at(world, n).gpus);
  for (const PlacedPod& pod : pods)
    free[static_cast<std::size_t>(pod.node)] -= world.gangs[pod.gang].roles[pod.role].gpus_per_pod;
  return free;
}

bool fits_now(const World& world, const WorldGang& gang, const std::vector<std::int64_t>& free) {
  std::set<std::string> domains;
  for (const WorldNodes& nodes : world.pools.front().nodes) {
    if (const auto own = nodes.domains.find(gang.domain); own != nodes.domains.end()) domains.insert(own->second);
  }
  if (gang.domain.empty()) domains = {""};
  for (const std::string& domain : domains) {
    if (Tries(world, gang, free).place(0, 0, 0, domain)) return true;
  }
  return false;
}

}  // namespace muster::test
