// Any bytes as JSON: as a whole, as several texts behind each other, and list by list.
// Reads: src/syntax/json_reader.cc src/syntax/json_lists.cc
// Seeds: tests/cases/*/*/*.json tests/cases/*/*/*/*.json
#include "fuzz/fuzz.h"
#include "syntax/json_lists.h"
#include "syntax/json_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster;
  const fuzz::OneFile one(fuzz::text_of(data, size), "a.json");
  Document whole;
  std::vector<Finding> findings;
  const bool read = read_json(one.file, one.text, whole, findings);
  std::deque<Document> several;
  const bool all = read_json_documents(one.text, one.whole, several, findings);
  fuzz::expect(!read || all, "a text that is read alone is not read among several");
  for (const Document& document : several) fuzz::stay_within(document.root(), one.sources);
  fuzz::stay_within(whole.root(), one.sources);
  JsonLists lists;
  lists.wanted = [](const std::vector<std::string>& open, std::string_view key) {
    return !open.empty() && key != "left out";
  };
  lists.text = [](std::string_view, std::string_view) {};
  lists.item = [](std::string_view, const Node& item) { item["name"].text(); };
  lists.root = [](const Node& root) { root["name"].text(); };
  read_json_lists(one.file, one.text, lists, findings);
  fuzz::stay_within(findings, one.sources);
  return 0;
}
