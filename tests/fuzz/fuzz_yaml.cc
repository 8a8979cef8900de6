// The reader of usual YAML against libyaml, on any bytes, and the reader that asks both.
// Reads: src/syntax/usual_yaml.cc src/syntax/yaml_reader.cc src/syntax/document.cc src/syntax/duplicate_keys.cc
// Seeds: tests/cases/rules/*/*.yaml examples/**/*.yaml
#include "fuzz/fuzz.h"
#include "support/usual_yaml.h"
#include "support/yaml_texts.h"
#include "syntax/yaml_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster;
  const std::string bytes = fuzz::text_of(data, size);
  for (const std::string& document : test::documents_of(bytes)) {
    const test::UsualReading reading = test::usual_reading(document);
    if (!reading.wrong.empty()) std::fprintf(stderr, "%s\n%s\n", document.c_str(), reading.wrong.c_str());
    fuzz::expect(reading.wrong.empty(), "the two readers differ");
  }
  const fuzz::OneFile one(bytes);
  for (const Span& where : split_yaml_documents(one.file, one.text)) {
    fuzz::stay_within(where, one.sources);
    Document document;
    std::vector<Finding> findings;
    read_yaml(one.text, where, document, findings);
    fuzz::stay_within(findings, one.sources);
    fuzz::stay_within(document.root(), one.sources);
    for (const Node& mapping : document.mappings_with_like_keys()) mapping["name"].where();
    for (const Node& scalar : document.scalars()) document.root()[scalar.text()]["name"].key_where();
  }
  return 0;
}
