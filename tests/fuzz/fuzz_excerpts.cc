// Any text as one for people, or a script, that quotes manifests and batch scripts.
// Reads: src/syntax/quoted_blocks.cc src/pipeline/excerpts.cc src/syntax/here_documents.cc src/syntax/cut_text.cc
// Reads: src/syntax/terraform_objects.cc src/syntax/hcl_reader.cc src/syntax/hcl_blocks.cc
// Reads: src/pipeline/terraform_pools.cc src/syntax/playbook_objects.cc
// Seeds: tests/cases/rules/*/*-task.yaml tests/cases/rules/*/*/*.tf tests/cases/rules/*/*/*/*.tf
// Seeds: tests/cases/rules/*/*/*.md examples/**/*.md README.md docs/gangs.md tests/cases/rules/*/*.sh
#include <array>

#include "fuzz/fuzz.h"
#include "pipeline/terraform_pools.h"
#include "syntax/quoted_blocks.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster;
  const fuzz::OneFile one(fuzz::text_of(data, size));
  for (const Markup markup : {Markup::Markdown, Markup::ReStructuredText, Markup::AsciiDoc}) {
    for (const QuotedBlock& block : quoted_blocks(one.text, markup)) {
      const auto end = static_cast<std::uint32_t>(block.text.size());
      fuzz::stay_within(block.place({one.file, 0, end}), one.sources);
      fuzz::stay_within(block.place({one.file, end / 2, end / 2}), one.sources);
    }
  }
  static const Result<Book> book = load_whole_book({}, MemoryFileSystem({}));
  const std::string text(one.text);
  for (const std::string name : {"a.md", "a.rst", "a.adoc", "a.sh", "a.tf", "a.yml", "a.yml.j2"}) {
    fuzz::ReadFiles read(std::map<std::string, std::string>{{name, text}});
    Model pools;
    note_terraform_pools(read.inputs, pools);
    if (!read.any) continue;
    Boxed<Excerpt> excerpts = read_excerpts(read.inputs, read.parsed, {}, KindTable::shipped(), 1);
    excerpts_by_file(excerpts);
    fuzz::stay_within(lint_excerpts(excerpts, *book->rules, {}, 1), read.inputs.sources);
  }
  return 0;
}
