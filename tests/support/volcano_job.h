#pragma once

#include <string>

namespace muster::test {

/// A Volcano Job of 8 pods of 8 GPUs. With more members than that it has one error, gang-min-above-size, and nothing
/// else.
std::string volcano_job(const std::string& name, int min_available = 9);

}  // namespace muster::test
