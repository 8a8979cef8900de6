#pragma once

#include <optional>
#include <string>

#include "prove/instance.h"
#include "prove/prove.h"

namespace muster::prove {

// What the engines do not model and an answer has to stand up to.

/// Why a queue that admits less than its gangs ask for leaves the answer open; nothing where it stands.
std::optional<std::string> doubt_by_queue(const Instance& instance, const ProofResult& result);

/// Schedulers that bind pods on these nodes. Each sees the others' pods only after they are bound, so two of them race:
/// of pods that one commits together some can be refused.
std::vector<std::string> schedulers_of(const Instance& instance);

/// The same gangs with every pod for itself: whatever a race leaves of a commit can happen there, too.
Instance without_commits(Instance instance);

}  // namespace muster::prove
