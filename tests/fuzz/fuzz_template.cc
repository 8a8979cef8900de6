// Any text as a template of Jinja, Go, ERB and their like: its marks, its conditions, and what filling it in makes.
// Reads: src/syntax/template_probe.cc src/syntax/fill_template.cc src/syntax/placeholder.cc
// Seeds: tests/cases/rules/**/*.j2 tests/cases/rules/**/*.tpl tests/cases/rules/*/*/templates/*.yaml
#include "fuzz/fuzz.h"
#include "syntax/fill_template.h"
#include "syntax/placeholder.h"
#include "syntax/template_probe.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster;
  const std::string text = fuzz::text_of(data, size);
  const auto kind = probe_template(text);
  if (kind) name_of(*kind);
  probe_conf_template(text);
  has_directive_marks(text);
  std::size_t last = 0;
  for (const TemplateMark& mark : template_marks(text)) {
    fuzz::expect(last <= mark.begin && mark.begin <= mark.end && mark.end <= text.size(), "marks out of order");
    last = mark.end;
  }
  without_template_marks(text);
  fuzz::expect(masked_template_marks(text).size() == text.size(), "masked marks move what is behind them");
  fuzz::expect(literal_lines(text).size() == text.size(), "lines without marks are moved");
  for (const auto& [begin, end] : looped_parts(text))
    fuzz::expect(begin <= end && end <= text.size(), "a loop outside the text");
  for (const ConditionalPart& part : conditional_parts(text))
    fuzz::expect(part.begin <= part.end && part.end <= text.size(), "a condition outside the text");
  FilledValues values{{"on", {FilledValue::Kind::Bool, "True", {}}}, {"n", {FilledValue::Kind::Number, "4", {}}}};
  for (const std::string& name : names_taken_by(text)) {
    FilledValue value;
    if (name.size() % 3 != 0 && read_filled_value(name, value)) values.emplace(name, value);
  }
  const FilledTemplate filled = fill_template(text, values, {"open", "who"});
  for (std::size_t at = 0; at < filled.text.size(); at += 7) {
    const std::size_t end = std::min(at + 9, filled.text.size());
    const Span where = filled.source_of(FileId{0}, at, end);
    fuzz::expect(where.begin <= where.end && where.end <= text.size(), "a value outside its template");
    filled.value_at(at, end);
  }
  FilledValue value;
  read_filled_value(text, value);
  is_placeholder(text);
  is_batch_placeholder(text);
  is_screaming(text);
  is_word_for_number(text);
  return 0;
}
