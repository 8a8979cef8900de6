// A check of one file in memory, of any name.
// Reads: src/pipeline/read_model.cc src/kinds/recognise.cc src/lint/lint.cc
// Seeds: tests/cases/rules/*/*.* tests/cases/kinds/*/*.* examples/**/*.*
// Input: files
#include "fuzz/fuzz.h"
#include "support/any_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster;
  const std::map<std::string, std::string> files = fuzz::files_of(fuzz::text_of(data, size), "job.yaml");
  if (files.empty()) return 0;
  const auto& [name, text] = *files.begin();
  const test::AnyBytes result = test::check_any_bytes(name, text);
  if (!result.broken_promise.empty()) std::fprintf(stderr, "%s: %s\n", name.c_str(), result.broken_promise.c_str());
  fuzz::expect(result.broken_promise.empty(), "a check keeps what it promises");
  return 0;
}
