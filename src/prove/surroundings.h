#pragma once

#include <string>
#include <vector>

#include "prove/instance.h"
#include "prove/prove.h"

namespace muster::prove {

// What the engines do not model and an answer has to stand up to.

/// Schedulers that bind pods on these nodes. Each sees the others' pods only after they are bound, so two of them race:
/// of pods that one commits together some can be refused.
std::vector<std::string> schedulers_of(const Instance& instance);

/// The same gangs with every pod for itself: whatever a race leaves of a commit can happen there, too.
Instance without_commits(Instance instance);

/// Whether some gang of which nobody says if its pods work alone is committed in parts.
bool commits_what_may_work_alone(const Instance& instance);
/// The same gangs, the pods of those placed one by one.
Instance without_open_commits(Instance instance);

}  // namespace muster::prove
