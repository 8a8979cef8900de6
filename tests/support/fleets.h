// Fleet files of worlds that are made of a repository.
#pragma once

#include <string>

namespace muster::test {

/// Two leaves, la and lb, in one spine: nodes a1.. and b1.., so many in each, of eight GPUs.
std::string two_leaf_fleet(int nodes_of_a_leaf);

}  // namespace muster::test
