#pragma once

#include <cstddef>
#include <functional>

namespace muster {

/// Calls `work` once for each number below `count`, on so many threads; the calling one is one of them. `work` may
/// write only what belongs to its number. Returns when all are done. What `work` throws ends the rest and is thrown to
/// the caller.
void in_parallel(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& work);

}  // namespace muster
