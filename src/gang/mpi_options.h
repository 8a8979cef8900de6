#pragma once

#include <cstddef>
#include <string_view>

namespace muster {

/// Whether the option of mpirun is followed by the number of ranks. Source:
/// open-mpi/ompi:docs/man-openmpi/man1/mpirun.1 (4.1, 5.0); pmodels/mpich:src/pm/hydra/mpiexec (4.2).
bool says_ranks(std::string_view option);

/// How many words behind that option of mpirun are its values: 0 of one that is not known, too.
std::size_t values_of_mpi_option(std::string_view option);

}  // namespace muster
