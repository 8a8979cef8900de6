// Dumps of a running cluster, who waits for whom in them, and what is said of it: in JSON, and without control
// characters.
// Reads: src/observe/* src/report/observed.cc src/report/observed_json.cc
// Seeds: tests/cases/observe/*/* tests/cases/observe/*/
// Input: files
#include <algorithm>
#include <nlohmann/json.hpp>

#include "fuzz/fuzz.h"
#include "kinds/knowledge.h"
#include "observe/known_rows.h"
#include "observe/observed.h"
#include "report/observed.h"
#include "source/encoding.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster;
  static const KnownRows known{Knowledge::shipped().described(), Knowledge::shipped().schedulers()};
  SourceMap sources;
  for (const auto& [path, text] : fuzz::files_of(fuzz::text_of(data, size), "pods.json")) {
    DecodedText decoded = decode_text(text);
    if (decoded.verdict == DecodedText::Verdict::Text) sources.add(path, std::move(decoded.text));
  }
  const Observed observed = observe(sources, known);
  fuzz::stay_within(observed.findings, sources);
  const std::string text = observed_text(observed);
  fuzz::expect(std::ranges::none_of(text, [](char c) { return c == '\x1b' || c == '\r'; }), "control characters");
  fuzz::expect(nlohmann::json::accept(observed_json(observed)), "no JSON");
  return 0;
}
