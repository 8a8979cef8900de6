#include "worlds/queue_limits.h"

#include <algorithm>

#include "base/capped.h"
#include "worlds/world_gang.h"

namespace muster {
namespace {

constexpr int kMostAbove = 32;  // queues above a queue; more is a cycle

std::string quoted(const Queue& queue) { return "`" + queue.name.value + "`"; }

/// As its limit is written, rounded down; nothing below 0, which is no limit for KAI.
std::optional<std::int64_t> amount_of(const Quota& quota) {
  if (!quota.limit.known() || quota.limit.value.whole < 0) return std::nullopt;
  return quota.limit.value.whole;
}

class QueueReader {
 public:
  QueueReader(const Model& model, const Gang& gang, std::int64_t concurrent)
      : model_(model), gang_(gang), concurrent_(concurrent) {}

  QueueLimits run() {
    const bool is_out = gang_.path.known() && gang_.path.value == Path::Out;
    if (is_out || !gang_.queue_bounds) return std::move(out_);
    if (gang_.queue.unknown()) {
      out_.needs = gang_.queue.needs();
    } else if (gang_.queue_object) {
      read_queue(model_.queues[*gang_.queue_object]);
    } else if (gang_.queue.is_set() && !gang_.queue_given) {
      out_.needs = !gang_.queue_found.needs().empty() ? std::string(gang_.queue_found.needs())
                                                      : "queue `" + gang_.queue.value + "`";
    }
    if (is_placed_by_volcano(gang_)) look_at_guarantees();
    return std::move(out_);
  }

 private:
  void read_queue(const Queue& queue) {
    if (queue.local) {
      if (queue.cluster_queue_index) return read_kueue(model_.queues[*queue.cluster_queue_index]);
      out_.needs = !queue.cluster_queue_found.needs().empty() ? std::string(queue.cluster_queue_found.needs())
                                                              : "the ClusterQueue of LocalQueue " + quoted(queue);
      return;
    }
    if (queue.system == GangSystem::Kueue) return read_kueue(queue);
    read_plain(queue);
  }

  /// Borrowing, and which flavor a pod set gets, is decided while others are admitted.
  void read_kueue(const Queue& queue) {
    const std::string name = "ClusterQueue " + quoted(queue);
    if (queue.cohort.state != State::Absent) {
      out_.needs = "what " + name + " may borrow and has to lend in its cohort";
      return;
    }
    const Quota* found = nullptr;
    for (const Quota& quota : queue.quotas) {
      if (quota.resource != gang_.accelerator.value) continue;
      if (found != nullptr) out_.needs = "which of the flavors of " + name + " it gets";
      found = &quota;
    }
    if (found == nullptr) out_.needs = "a quota for `" + gang_.accelerator.value + "` in " + name;
    if (found != nullptr && out_.needs.empty()) take(queue, *found);
    for (const ResourceFlavor& flavor : model_.resource_flavors) {
      if (found != nullptr && flavor.has_node_labels && flavor.bundle == queue.bundle &&
          flavor.name.value == found->flavor)
        out_.flavor = &flavor;
    }
    look_at_other_resources(queue);
  }

  /// Volcano's and KAI's: what is not bounded has no limit; those above bound it, too.
  void read_plain(const Queue& queue) {
    const std::string resource = queue.system == GangSystem::Kai ? "gpu" : gang_.accelerator.value;
    const auto own = std::ranges::find(queue.quotas, resource, &Quota::resource);
    const bool bounded = own != queue.quotas.end() && own->limit.state != State::Absent;
    if (bounded) take(queue, *own);
    if (!bounded && queue.system == GangSystem::Kai) out_.needs = "the limit of queue " + quoted(queue);
    look_at_other_resources(queue);
    const Queue* at = &queue;
    for (int i = 0; at->parent.state != State::Absent && out_.needs.empty(); ++i) {
      if (at->system == GangSystem::Volcano && at->parent.value == "root") return;
      const Queue* above = i < kMostAbove ? queue_above(*at) : nullptr;
      const std::string name = "queue `" + at->parent.value + "` above " + quoted(queue);
      if (above == nullptr) {
        out_.needs = name;
      } else if (is_bounded(*above)) {
        out_.needs = "what " + name + " admits of others";
      }
      at = above;
      if (at == nullptr) return;
    }
  }

  /// What one queue is guaranteed no other gets. Source:
  /// volcano-sh/volcano:pkg/scheduler/plugins/proportion/proportion.go (1.15).
  void look_at_guarantees() {
    for (const Queue& queue : model_.queues) {
      const bool own = gang_.queue_object && &queue == &model_.queues[*gang_.queue_object];
      if (own || queue.system != GangSystem::Volcano || queue.bundle != gang_.bundle) continue;
      for (const Quota& quota : queue.quotas) {
        const bool some = quota.guarantee.unknown() || (quota.guarantee.known() && quota.guarantee.value != Quantity{});
        if (some && quota.resource == gang_.accelerator.value)
          out_.beyond.push_back("room in its queue beside the guarantee of queue " + quoted(queue));
      }
    }
  }

  static bool is_bounded(const Queue& queue) {
    if (queue.system == GangSystem::Kai) {
      const auto is_open = [](const Quota& quota) { return quota.limit.known() && quota.limit.value.whole < 0; };
      return std::ranges::find(queue.quotas, "gpu", &Quota::resource) == queue.quotas.end() ||
             !std::ranges::all_of(queue.quotas, is_open);
    }
    return std::ranges::any_of(queue.quotas, [](const Quota& quota) { return quota.limit.state != State::Absent; });
  }

  const Queue* queue_above(const Queue& queue) const {
    if (!queue.parent.is_set()) return nullptr;
    const auto found = std::ranges::find_if(model_.queues, [&](const Queue& other) {
      return other.system == queue.system && !other.local && other.bundle == queue.bundle &&
             other.name.value == queue.parent.value;
    });
    return found == model_.queues.end() || &*found == &queue ? nullptr : &*found;
  }

  void take(const Queue& queue, const Quota& quota) {
    if (!quota.limit.known()) {
      out_.needs =
          quota.limit.needs().empty() ? "the limit of queue " + quoted(queue) : std::string(quota.limit.needs());
    } else if (const std::optional<std::int64_t> gpus = amount_of(quota)) {
      out_.gpus = QueueLimit{&queue, *gpus};
    }
  }

  /// CPUs and memory are not counted against queues: fine where all that go there are admitted together.
  void look_at_other_resources(const Queue& queue) {
    const bool kai = queue.system == GangSystem::Kai;  // which counts thousandths of CPUs, and megabytes
    for (const Quota& quota : queue.quotas) {
      if (quota.limit.state == State::Absent) continue;
      const bool cpu = quota.resource == "cpu";
      if (!cpu && quota.resource != "memory") continue;
      const std::int64_t asked = asked_together(cpu);
      const std::int64_t scale = cpu ? (kai ? 1 : 1000) : (kai ? 1'000'000 : 1);
      const std::int64_t limit = multiply_capped(quota.limit.value.whole, scale);
      const bool open = quota.limit.known() && quota.limit.value.whole < 0;
      if (asked == 0 || open || (quota.limit.known() && asked <= limit)) continue;
      out_.beyond.push_back(std::string(cpu ? "the CPUs" : "the memory") + " of queue " + quoted(queue));
    }
  }

  /// Several LocalQueues may lead to one ClusterQueue.
  static std::optional<std::size_t> queue_of(const Gang& gang) {
    return gang.queue_index ? gang.queue_index : gang.queue_object;
  }

  /// Of all gangs that share its queue.
  std::int64_t asked_together(bool cpu) const {
    std::int64_t sum = 0;
    std::int64_t own = 0;
    for (const Gang& gang : model_.gangs) {
      if (gang.bundle != gang_.bundle || queue_of(gang) != queue_of(gang_)) continue;
      for (const Role& role : gang.roles) {
        const std::int64_t each = cpu ? role.milli_cpus_each : role.memory_each;
        const std::int64_t pods = role.count.known() ? role.count.value : 1;
        const std::int64_t all =
            multiply_capped(multiply_capped(each, pods),
                            multiply_capped(concurrent_, gang.instances.known() ? gang.instances.value : 1));
        sum = add_capped(sum, all);
        own = add_capped(own, &gang == &gang_ ? all : 0);
      }
    }
    return own == 0 ? 0 : sum;
  }

  const Model& model_;
  const Gang& gang_;
  const std::int64_t concurrent_;
  QueueLimits out_;
};

}  // namespace

QueueLimits limits_of(const Model& model, const Gang& gang, std::int64_t concurrent) {
  return QueueReader(model, gang, concurrent).run();
}

}  // namespace muster
