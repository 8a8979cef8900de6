#include "gang/membership.h"

#include <algorithm>

namespace muster {
namespace {

bool says_something(const Node& node) { return node.exists() && !(node.is_scalar() && node.text().empty()); }

const Scheduler* scheduler_of(const PodTemplate& pod, const SchedulerBook& book) {
  const std::string_view name = pod.spec["schedulerName"].text();
  return book.named(name.empty() ? kDefaultScheduler : name);
}

/// Lower counts first.
int rank_of(const FoundMembership& found, const Scheduler* scheduler) {
  if (found.mark->in == Mark::In::Field) return 0;
  const bool read = scheduler != nullptr &&
                    std::ranges::find(scheduler->groups, *found.row->membership_of) != scheduler->groups.end();
  return (found.made_by_user ? 1 : 3) + (read ? 0 : 1);
}

}  // namespace

Node node_at(const Mark& mark, const PodTemplate& pod) { return node_at(mark, mark.in, pod); }

Node node_at(const Mark& mark, Mark::In in, const PodTemplate& pod) {
  switch (in) {
    case Mark::In::Label: return pod.metadata["labels"][mark.key];
    case Mark::In::Annotation: return pod.metadata["annotations"][mark.key];
    case Mark::In::Field: break;
  }
  return at_path_text(pod.spec, mark.key);
}

std::optional<FoundMembership> find_membership(const PodTemplate& pod, const SchedulerBook& book, const Node* owner) {
  const Scheduler* scheduler = scheduler_of(pod, book);
  std::optional<FoundMembership> best;
  for (const Scheduler& row : book.schedulers) {
    for (const MembershipMark& mark : row.membership) {
      const Node group = node_at(mark, pod);
      if (!says_something(group)) continue;
      const auto lacks = [](const Node& metadata, const std::string& annotation) {
        return !annotation.empty() && !metadata["annotations"][annotation].exists();
      };
      if (lacks(pod.metadata, mark.with)) continue;
      if (owner != nullptr && lacks(pod.metadata, mark.owned_with) && lacks(*owner, mark.owned_with)) continue;
      const FoundMembership found{&row, &mark, !mark.made || !group.text().starts_with(*mark.made)};
      if (!best || rank_of(found, scheduler) < rank_of(*best, scheduler)) best = found;
    }
  }
  return best;
}

const Mark* mark_of_old(const Scheduler& row, std::string_view key) {
  if (!row.like.empty()) return nullptr;
  const auto found =
      std::ranges::find_if(row.queue, [&](const Mark& one) { return !one.until.empty() && one.key == key; });
  return found == row.queue.end() ? nullptr : &*found;
}

std::string queue_of_pod(const PodTemplate& pod, bool by_itself, const SchedulerBook& book) {
  const auto read = [&](const Mark& mark) {
    return mark.on == Mark::On::Object && !by_itself ? std::string() : std::string(node_at(mark, pod).text());
  };
  for (const Scheduler& row : book.schedulers) {
    std::string queue = row.admits ? read(*row.admits) : "";
    if (!queue.empty()) return queue;
  }
  const Scheduler* row = scheduler_of(pod, book);
  for (std::size_t i = 0; row != nullptr && i < row->queue.size(); ++i) {
    if (mark_of_old(*row, row->queue[i].key) != nullptr) continue;
    std::string queue = read(row->queue[i]);
    if (!queue.empty()) return queue;
  }
  return "";
}

}  // namespace muster
