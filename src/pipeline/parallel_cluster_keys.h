#pragma once

#include <string_view>

namespace muster {

/// The keys of a level of AWS ParallelCluster's configuration, with a blank between them, by the path of keys that
/// leads there; empty: a level of which nothing is known.
std::string_view parallel_cluster_keys(std::string_view path);

}  // namespace muster
