#pragma once

#include <string>
#include <vector>

#include "model/model.h"

namespace muster {

/// The plane that schedules a pool; empty while the file does not say.
std::string plane_of(const NodePool& pool);

/// The pool that a workload names, of the one fleet of the input.
const NodePool* named_pool(const Model& model, const Workload& workload);

/// The pools that a workload can run in: the one that it names, else those of its plane (any while that is empty) with
/// enough nodes of enough GPUs. Where none is large enough, those of its plane all the same: `check` says so. Empty
/// without a fleet file, or with several.
std::vector<const NodePool*> pools_holding(const Model& model, const Workload& workload, const std::string& plane);

}  // namespace muster
