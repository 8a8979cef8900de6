// Any text as a selector of devices, the CEL of other people's manifests.
// Reads: src/kubernetes/device_selector.cc src/kubernetes/device_attributes.cc src/expr/lexer.cc src/expr/parser.cc
// Pick: tests/cases/rules/*/*.yaml expression: "?'?([^\n]+)
// Pick: tests/expr/*_test.cc \{R"\((.*?)\)"
#include "fuzz/fuzz.h"
#include "kubernetes/device_selector.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster;
  const std::optional<DeviceSelector> selector = read_device_selector(fuzz::text_of(data, size));
  if (!selector) return 0;
  for (const DeviceRead& read : selector->reads) {
    for (const char* device_class : {"", "gpu.nvidia.com", "mig.nvidia.com"})
      published(read.capacity, read.domain, read.name, device_class);
  }
  return 0;
}
