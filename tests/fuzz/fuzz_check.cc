// A check of files in memory, of any name.
// Reads: src/pipeline/read_model.cc src/pipeline/discover.cc src/pipeline/rendered.cc src/kinds/recognise.cc
// Reads: src/lint/lint.cc
// Seeds: tests/cases/rules/*/*.* tests/cases/rules/*/*/ examples/*/
// Input: files
#include "fuzz/fuzz.h"
#include "support/any_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster;
  std::map<std::string, std::string> files = fuzz::files_of(fuzz::text_of(data, size), "job.yaml");
  std::erase_if(files, [](const auto& file) { return file.first.starts_with(".git"); });  // may leave nothing to check
  files.emplace("always.yaml", "a: 1\n");
  const test::AnyBytes result = test::check_any_files(files);
  if (!result.broken_promise.empty()) std::fprintf(stderr, "%s\n", result.broken_promise.c_str());
  fuzz::expect(result.broken_promise.empty(), "a check keeps what it promises");
  return 0;
}
