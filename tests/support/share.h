#pragma once

#include <cstddef>

namespace muster::test {

#ifdef __SANITIZE_ADDRESS__
constexpr bool kSanitised = true;
#else
constexpr bool kSanitised = false;
#endif

/// A sanitised build takes many times as long: it judges every nth of very many worlds, any other build all of them.
constexpr std::size_t every(std::size_t n) { return kSanitised ? n : 1; }

}  // namespace muster::test
