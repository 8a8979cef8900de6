// Any text as a file of a site's folder of rules: a rule, a table, keys of Slurm, a kind, a scheduler, an operator.
// Reads: src/rulebook/load_rule.cc src/rulebook/load_table.cc src/rulebook/load_slurm_keys.cc
// Reads: src/rulebook/book_reader.cc src/rulebook/table_value.cc src/kubernetes/load_kind.cc src/gang/load_scheduler.cc
// Seeds: rules/*/*.yaml examples/own-kinds/**/*.yaml
#include "fuzz/fuzz.h"
#include "gang/load_scheduler.h"
#include "kubernetes/kind_file.h"
#include "rulebook/load_rule.h"
#include "rulebook/load_slurm_keys.h"
#include "syntax/yaml_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster;
  const fuzz::OneFile one(fuzz::text_of(data, size), "rules/gang/a.yaml");
  Document document;
  std::vector<Finding> findings;
  if (!read_yaml(one.text, one.whole, document, findings)) return 0;
  const Node root = document.root();
  const auto read = [&](const auto& as) {
    BookReader reader(one.sources);
    as(reader);
    for (const BookProblem& problem : reader.all()) to_text(problem);
  };
  read([&](BookReader& reader) { load_rule(root, "rules/gang/a.yaml", {{"a", {{"n", "4"}}}}, reader); });
  read([&](BookReader& reader) {
    std::vector<Table> tables;
    tables.push_back(load_table(root, "rules/decide/a.yaml", reader));
    link_tables(tables, reader);
  });
  read([&](BookReader& reader) {
    SlurmKeyTable keys;
    load_slurm_keys(root, keys, reader);
  });
  read([&](BookReader& reader) { load_kind(root, reader); });
  read([&](BookReader& reader) { load_scheduler(root, reader); });
  read([&](BookReader& reader) { load_operator(root, reader); });
  return 0;
}
