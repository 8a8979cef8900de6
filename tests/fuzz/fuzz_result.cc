// Results of other runs, joined: what comes of them is a result again.
// Reads: src/pipeline/read_result.cc src/pipeline/result_places.cc src/pipeline/merge.cc
// Input: files
#include <nlohmann/json.hpp>

#include "fuzz/fuzz.h"
#include "pipeline/merge.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster;
  ResultMerger merger;
  for (const auto& [path, text] : fuzz::files_of(fuzz::text_of(data, size), "a.json")) {
    if (merger.add(path, text)) return 0;
  }
  SourceMap places;
  const Result<Report> report = merger.merge(places);
  if (!report) return 0;
  fuzz::stay_within(report->findings, places);
  const std::string text = render_json(*report, {});
  fuzz::expect(nlohmann::json::accept(text), "no JSON");
  ResultMerger again;
  const std::optional<Error> refused = again.add("again.json", text);
  if (refused) std::fprintf(stderr, "%s\n%s\n", refused->message.c_str(), text.c_str());
  fuzz::expect(!refused, "what is joined is no result");
  return 0;
}
