// Comments, annotations and entries of muster.yaml that allow a finding, in files of any name.
// Reads: src/pipeline/suppress.cc src/pipeline/comments.cc
// Seeds: tests/cases/rules/*/*.yaml tests/cases/rules/*/*.sh tests/cases/rules/*/*/ tests/cases/rules/*/*.conf
// With: muster: ?allow|muster.dev/allow|suppress:
// Input: files
#include "fuzz/fuzz.h"
#include "lint/lint.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster;
  static const Result<Book> book = load_whole_book({}, MemoryFileSystem({}));
  std::map<std::string, std::string> files = fuzz::files_of(fuzz::text_of(data, size), "job.yaml");
  Config config;
  if (const auto found = files.find("muster.yaml"); found != files.end()) {
    const Result<Config> read = read_config("muster.yaml", MemoryFileSystem({*found}));
    if (read) config = *read;
    for (ConfigSuppression& entry : config.suppressions) entry.place = {FileId{0}, 0, 0};
    files.erase(found);
  }
  fuzz::ReadFiles read(std::move(files));
  if (!read.any || read.inputs.files.empty()) return 0;
  LintResult linted;
  // A finding of a few rules in each line.
  for (std::size_t i = 0; i < read.inputs.files.size(); ++i) {
    const auto file = static_cast<FileId>(i);
    const SourceFile& source = read.inputs.sources.file(file);
    for (const Allowance& one : allowances_in(read.parsed[i], read.inputs.sources))
      fuzz::stay_within(one.where, read.inputs.sources);
    for (std::uint32_t line = 1; line <= std::min(source.line_count(), 100u); ++line) {
      for (const char* rule : {"gang-of-one", "gang-min-above-size", "yaml-syntax"}) {
        Finding finding;
        finding.rule = rule;
        finding.where = {file, source.line_start(line), source.line_start(line)};
        linted.findings.push_back(finding);
      }
    }
  }
  const std::size_t before = linted.findings.size();
  const std::vector<SuppressedFinding> gone = suppress(
      linted, {read.parsed, read.rendered.bundles, read.inputs, config, *book->rules, *parse_date("2026-06-01"), true});
  fuzz::expect(linted.findings.size() + gone.size() >= before, "a finding is lost");
  fuzz::stay_within(linted.findings, read.inputs.sources);
  return 0;
}
