// Any text as objects of Kubernetes, read along what is known of their kinds.
// Reads: src/kubernetes/* src/kinds/recognise.cc src/kinds/joined_objects.cc src/kinds/template_objects.cc
// Reads: src/kinds/custom_kinds.cc src/syntax/embedded.cc src/gang/pod_template.cc src/gang/manifest.cc
// Apart: src/kubernetes/load_kind.cc src/kubernetes/container_script.cc src/kubernetes/device_selector.cc
// Apart: src/kubernetes/device_attributes.cc src/kubernetes/stated_release.cc src/kubernetes/chart_values.cc
// Apart: src/kubernetes/value_nil.cc src/kubernetes/value_reads.cc
// Seeds: tests/cases/rules/*/*.yaml tests/cases/kinds/*/*.yaml tests/cases/rules/*/*/
// With: kind:
// Input: files
#include "fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster;
  const fuzz::ReadFiles read(fuzz::files_of(fuzz::text_of(data, size), "a.yaml"));
  for (const ParsedFile& file : read.parsed) {
    for (const Document& document : file.documents) fuzz::stay_within(document.root(), read.inputs.sources);
  }
  return 0;
}
