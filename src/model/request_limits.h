#pragma once

#include <cstddef>
#include <vector>

#include "model/model.h"
#include "model/node_asks.h"

namespace muster {

/// What one component of a job asks for that a partition of its site never gives, by its index in the site. Whether
/// another partition would is for the caller.
std::vector<RequestProblem> limits_of(const SbatchJob& job, const JobOptions& options, const SbatchComponent& part,
                                      const SlurmSite& site, std::size_t partition);

}  // namespace muster
