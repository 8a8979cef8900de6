#include "gang/mpi_options.h"

#include <algorithm>
#include <array>

namespace muster {

bool says_ranks(std::string_view option) {
  constexpr std::array<std::string_view, 4> kRanks{"-np", "-n", "--np", "--n"};
  return std::ranges::find(kRanks, option) != kRanks.end();
}

std::size_t values_of_mpi_option(std::string_view option) {
  constexpr std::array<std::string_view, 10> kOne{"-x",        "--map-by", "-map-by", "--bind-to", "-bind-to",
                                                  "--rank-by", "-rank-by", "-ppn",    "-wdir",     "--wdir"};
  constexpr std::array<std::string_view, 4> kTwo{"--mca", "-mca", "-genv", "--prtemca"};
  if (std::ranges::find(kOne, option) != kOne.end()) return 1;
  return std::ranges::find(kTwo, option) != kTwo.end() ? 2 : 0;
}

}  // namespace muster
