// muster's own files: fleets, workloads and worlds.
// Reads: src/own/* src/model/fact.cc
// Seeds: tests/cases/kinds/fleet-file/* tests/cases/kinds/workloads-file/* tests/cases/kinds/world-file/*
// Seeds: examples/**/*fleet*.yaml examples/**/*workload*.yaml examples/worlds/* tests/cases/rules/own-file-*/*
// Input: files
#include "fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster;
  const fuzz::ReadFiles read(fuzz::files_of(fuzz::text_of(data, size), "fleet.yaml"));
  for (const ParsedFile& file : read.parsed) fuzz::stay_within(file.findings, read.inputs.sources);
  return 0;
}
