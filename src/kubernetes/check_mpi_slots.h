#pragma once

#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// Reports a launcher of an MPIJob whose mpirun starts more ranks than the hostfile has slots:
/// `mpi-ranks-above-slots`. `spec`: of the job.
void check_mpi_slots(const Node& spec, std::vector<Finding>& findings);

}  // namespace muster
