// A check of one file in memory. The first byte chooses the file's name, the rest is its bytes.

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "support/any_bytes.h"
#include "support/seeds.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster::test;
  if (size == 0) return 0;
  const std::string name(kSeeds[data[0] % kSeeds.size()].name);
  const AnyBytes result = check_any_bytes(name, std::string(reinterpret_cast<const char*>(data + 1), size - 1));
  if (result.broken_promise.empty()) return 0;
  std::fprintf(stderr, "%s: %s\n", name.c_str(), result.broken_promise.c_str());
  std::abort();
}

/// A run without a corpus starts from the seeds: libFuzzer asks for a mutation of every input, so an empty one is
/// replaced by a seed now and then.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned int seed) {
  using namespace muster::test;
  const Seed& fresh = kSeeds[seed / 64 % kSeeds.size()];
  if (seed % 64 == 0 && fresh.text.size() < max_size) {
    data[0] = static_cast<std::uint8_t>(seed / 64 % kSeeds.size());
    fresh.text.copy(reinterpret_cast<char*>(data + 1), fresh.text.size());
    size = fresh.text.size() + 1;
  }
  return LLVMFuzzerMutate(data, size, max_size);
}
