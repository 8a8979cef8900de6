#include "gang/joined_gangs.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "base/capped.h"

namespace muster {
namespace {

template <class T>
bool same(const Located<T>& a, const Located<T>& b) {
  return a.known() == b.known() && a.value == b.value;
}

template <class T>
bool same(const Rare<T>& a, const Rare<T>& b) {
  return same(a.located(), b.located());
}

bool same_devices(const Devices& a, const Devices& b) { return same(a.resource, b.resource) && same(a.count, b.count); }

bool same_toleration(const Toleration& a, const Toleration& b) {
  return std::tie(a.key, a.value, a.effect, a.any_value) == std::tie(b.key, b.value, b.effect, b.any_value);
}

/// Whether two pods ask for the same, so that any node that takes the one takes the other.
bool are_alike(const Role& a, const Role& b) {
  return same(a.gpus_each, b.gpus_each) && same(a.accelerator, b.accelerator) && same(a.scheduler, b.scheduler) &&
         same(a.priority_class, b.priority_class) && same(a.required_topology, b.required_topology) &&
         same(a.slice_topology, b.slice_topology) && same(a.wanted_level, b.wanted_level) && same(a.slice, b.slice) &&
         same(a.unlimited, b.unlimited) && same(a.above_placeholder, b.above_placeholder) &&
         same(a.untolerated, b.untolerated) && std::ranges::equal(a.more_devices, b.more_devices, same_devices) &&
         std::ranges::equal(a.tolerations, b.tolerations, same_toleration) && a.labels == b.labels &&
         a.wants == b.wants && a.node_selector == b.node_selector && a.picks_nodes == b.picks_nodes &&
         a.milli_cpus_each == b.milli_cpus_each && a.memory_each == b.memory_each && a.best_effort == b.best_effort;
}

}  // namespace

void add_joined_role(Gang& gang, Role role) {
  const auto found = std::ranges::find_if(gang.roles, [&](const Role& other) { return are_alike(other, role); });
  if (found == gang.roles.end()) {
    gang.roles.push_back(std::move(role));
  } else if (found->count.known() && role.count.known()) {
    found->count.value = add_capped(found->count.value, role.count.value);
  }
}

void erase_gangs(Model& model, const std::set<std::size_t>& gone) {
  if (gone.empty()) return;
  std::size_t g = 0;
  model.gangs.erase_if([&](const Gang&) { return gone.contains(g++); });
  for (SbatchJob& job : model.sbatch_jobs) {
    if (job.gang) *job.gang -= static_cast<std::size_t>(std::distance(gone.begin(), gone.lower_bound(*job.gang)));
  }
}

}  // namespace muster
