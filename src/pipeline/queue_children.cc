#include "pipeline/queue_children.h"

#include <map>
#include <string>
#include <string_view>
#include <tuple>

namespace muster {
namespace {

/// What the children of a queue are sure of together.
struct ChildQuotas {
  Quantity sum;
  std::int64_t count = 0;
  bool open = false;  ///< one of them is not known, or has no bound
};

}  // namespace

void find_queue_children(const Model& model, std::vector<Finding>& findings) {
  using Place = std::tuple<std::string_view, std::string_view, std::string_view>;  // bundle, queue and resource
  std::map<Place, ChildQuotas> below;
  for (const Queue& queue : model.queues) {
    if (queue.system != GangSystem::Kai || !queue.parent.known()) continue;
    for (const Quota& quota : queue.quotas) {
      ChildQuotas& all = below[{queue.bundle, queue.parent.value, quota.resource}];
      ++all.count;
      all.open = all.open || !quota.deserved.known() || quota.deserved.value < Quantity{};
      if (!all.open) all.sum = all.sum + quota.deserved.value;
    }
  }
  if (below.empty()) return;
  std::map<std::pair<std::string_view, std::string_view>, int> named;  // a name that several files have is of several
  for (const Queue& queue : model.queues) {
    if (queue.system == GangSystem::Kai) ++named[{queue.bundle, queue.name.value}];
  }
  for (const Queue& queue : model.queues) {
    if (queue.system != GangSystem::Kai || named[{queue.bundle, queue.name.value}] != 1) continue;
    for (const Quota& quota : queue.quotas) {
      const auto found = below.find({queue.bundle, queue.name.value, quota.resource});
      if (found == below.end() || found->second.open || found->second.count < 2) continue;
      if (!quota.deserved.is_set() || quota.deserved.value <= Quantity{} || found->second.sum <= quota.deserved.value)
        continue;
      findings.push_back(problem("kai-queue-children-above-quota", quota.deserved.where,
                                 "queue `" + queue.name.value + "` has a quota of " + quota.deserved.value.text() +
                                     " of " + quota.resource + ", and those below it have " + found->second.sum.text() +
                                     " together"));
    }
  }
}

}  // namespace muster
