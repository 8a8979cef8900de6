// Any bytes as an index of git. With the hash of its end or without: what is read holds what it says.
// Reads: src/pipeline/git_index.cc
#include "fuzz/fuzz.h"
#include "pipeline/git_index.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster;
  const std::string bytes = fuzz::text_of(data, size);
  for (const TrackedPaths::HashSize hash : {TrackedPaths::HashSize::Sha1, TrackedPaths::HashSize::Sha256}) {
    const Result<TrackedPaths> read = TrackedPaths::read(bytes, hash);
    if (!read) continue;
    fuzz::expect(read->size() <= size, "more paths than bytes");
    read->has(bytes.substr(0, 8));
    read->has_at_or_below("a");
    read->has_at_or_below("deep/er");
  }
  return 0;
}
