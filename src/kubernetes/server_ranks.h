#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace muster {

/// Whether vLLM is to have more ranks than `devices` and nothing on its command line says which other nodes have the
/// rest. `words`: what stands behind `vllm serve`; empty ones are known to the run alone, and so may be of any option.
bool ranks_want_nodes(std::span<const std::string_view> words, std::int64_t devices);

}  // namespace muster
