#pragma once

#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// Reports pods of an MPIJob (v2beta1) that do not run as root, where the operator mounts the keys of ssh for root
/// alone: `mpi-keys-of-root`.
void check_mpi_keys(const Node& spec, std::vector<Finding>& findings);

}  // namespace muster
