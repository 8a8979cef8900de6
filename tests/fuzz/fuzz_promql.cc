// Any text as an expression of an alert.
// Reads: src/promql/lexer.cc src/promql/parser.cc src/promql/types.cc src/promql/labels.cc src/promql/functions.cc
// Pick: tests/cases/rules/*/*.yaml expr: ([^\n]+)
// Pick: tests/promql/*_test.cc "([^"\n]+)"
#include "fuzz/fuzz.h"
#include "promql/labels.h"
#include "promql/query.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster;
  const std::string text = fuzz::text_of(data, size);
  const promql::Query query = promql::read_query(text);
  if (query.refusal && (query.refusal->begin > query.refusal->end || query.refusal->end > text.size()))
    __builtin_trap();
  for (const promql::Unmatched& one : promql::unmatched_operations(query, {})) {
    if (one.node >= query.nodes.size()) __builtin_trap();
  }
  promql::counter_above(query);
  return 0;
}
