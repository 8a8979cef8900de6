#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gang/pod_template.h"
#include "gang/scheduler.h"
#include "syntax/document.h"

namespace muster {

/// Where the text of a mark stands in a pod or pod template. Nothing where it is missing.
Node node_at(const Mark& mark, const PodTemplate& pod);
/// The same key as if it were a mark of another sort.
Node node_at(const Mark& mark, Mark::In in, const PodTemplate& pod);

/// With which mark a pod says which group it belongs to, and whose group that is.
struct FoundMembership {
  const Scheduler* row = nullptr;
  const MembershipMark* mark = nullptr;
  bool made_by_user = true;  ///< not one that the scheduler makes for whatever pods come
};

/// Of several memberships of a pod or pod template the one that counts: the field of Kubernetes before all, a group
/// that somebody made before one that a scheduler made by itself, and one that the pod's own scheduler reads before
/// others. The row is one of the book's. `owner`: metadata of the object whose
/// controller makes the pods; none for a pod of its own, and what a cluster shows of its pods stands for itself.
std::optional<FoundMembership> find_membership(const PodTemplate& pod, const SchedulerBook& book,
                                               const Node* owner = nullptr);

/// The mark of a queue's key that only older releases of the scheduler read; nullptr: it is none such. Schedulers that
/// only behave like one have releases of their own.
const Mark* mark_of_old(const Scheduler& row, std::string_view key);

/// The queue that a pod names. Marks that stand on the object count where the pod is that object itself. Source: the
/// rows.
std::string queue_of_pod(const PodTemplate& pod, bool by_itself, const SchedulerBook& book);

}  // namespace muster
