// Dumps of schedulers, clusters and fabrics, and the fleet file that they make: it reads as one of ours.
// Reads: src/inventory/* src/kinds/dump_kinds.cc src/slurm/scontrol_dump.cc
// Seeds: tests/cases/inventory/*/* tests/cases/inventory/*/*/
// Input: files
#include "fuzz/fuzz.h"
#include "inventory/inventory.h"
#include "source/encoding.h"
#include "syntax/yaml_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster;
  SourceMap sources;
  std::vector<FileContext> files;
  for (const auto& [path, text] : fuzz::files_of(fuzz::text_of(data, size), "dump")) {
    sources.add(path, decode_text(text).text);
    files.push_back({path, "", ""});
  }
  const Inventory made = take_inventory(sources, files, "fleet");
  fuzz::stay_within(made.findings, sources);
  if (made.fleet.empty()) return 0;
  const fuzz::OneFile fleet(made.fleet);
  Document document;
  std::vector<Finding> findings;
  fuzz::expect(read_yaml(fleet.text, fleet.whole, document, findings), "the fleet file is no YAML");
  fuzz::expect(findings.empty(), "the fleet file is not as it should be");
  fuzz::expect(document.root()["muster"].text() == "fleet/v1", "the fleet file is none");
  return 0;
}
