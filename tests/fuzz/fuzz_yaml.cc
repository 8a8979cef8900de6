// The reader of usual YAML against libyaml, on any bytes.

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "support/usual_yaml.h"
#include "support/yaml_texts.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster::test;
  for (const std::string& document : documents_of(std::string(reinterpret_cast<const char*>(data), size))) {
    const UsualReading reading = usual_reading(document);
    if (reading.wrong.empty()) continue;
    std::fprintf(stderr, "%s\n%s\n", document.c_str(), reading.wrong.c_str());
    std::abort();
  }
  return 0;
}
