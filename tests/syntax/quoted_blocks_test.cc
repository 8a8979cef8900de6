// Code that texts for people quote.
#include "syntax/quoted_blocks.h"

#include "support/catch.h"

using namespace muster;

namespace {

/// `LANGUAGE: TEXT` of each, a bar for a line end.
std::vector<std::string> quoted(std::string_view text, Markup markup = Markup::Markdown) {
  std::vector<std::string> out;
  for (const QuotedBlock& block : quoted_blocks(text, markup)) {
    std::string one = block.language + ": ";
    for (const char c : block.text) one += c == '\n' ? '|' : c;
    out.push_back(one);
  }
  return out;
}

using Quoted = std::vector<std::string>;

}  // namespace

TEST_CASE("fences of Markdown are found", "[quoted-blocks]") {
  CHECK(quoted("a\n```yaml\nx: 1\n```\nb\n") == Quoted{"yaml: x: 1|"});
  CHECK(quoted("~~~ Bash title=\"x\"\na\n```\nb\n~~~\n") == Quoted{"bash: a|```|b|"});
  CHECK(quoted("```{.yaml .numberLines}\nx: 1\n```\n") == Quoted{"yaml: x: 1|"});
  CHECK(quoted("````\n```\na\n```\n````\nb\n") == Quoted{": ```|a|```|"});
  CHECK(quoted("1. x\n\n   ```sh\n   a\n     b\n c\n   ```\n") == Quoted{"sh: a|  b|c|"});
  CHECK(quoted("```\na\n") == Quoted{": a|"});         // to the end
  CHECK(quoted("``` a ``` and ``b``\n") == Quoted{});  // a span of code
  CHECK(quoted("``\na\n``\n") == Quoted{});
}

TEST_CASE("code blocks of reStructuredText are found", "[quoted-blocks]") {
  constexpr auto kRst = Markup::ReStructuredText;
  CHECK(quoted("Do\n\n.. code-block:: bash\n   :linenos:\n\n   a\n     b\n\n   c\n\nEnd\n", kRst) ==
        Quoted{"bash: a|  b||c||"});
  CHECK(quoted("So::\n\n    a\n\nEnd\n", kRst) == Quoted{": a||"});
  CHECK(quoted(".. code-block:: sh\n\nno code\n", kRst).empty());
  CHECK(quoted(".. note::\n\n   text\n", kRst).empty());
}

TEST_CASE("delimited blocks of AsciiDoc are found", "[quoted-blocks]") {
  constexpr auto kAdoc = Markup::AsciiDoc;
  CHECK(quoted("Do\n\n[source,yaml]\n----\na: 1\n----\nEnd\n", kAdoc) == Quoted{"yaml: a: 1|"});
  CHECK(quoted(".Title\n[,bash,subs=attributes]\n-----\na\n----\n-----\n", kAdoc) == Quoted{"bash: a|----|"});
  CHECK(quoted("....\na\n....\n", kAdoc) == Quoted{": a|"});
  CHECK(quoted("---\na\n---\n", kAdoc).empty());
}

TEST_CASE("values of a block have places in the text that quotes it", "[quoted-blocks]") {
  const std::string text = "1. x\n\n   ```yaml\n   a: 1\n   b: 2\n   ```\n";
  const std::vector<QuotedBlock> blocks = quoted_blocks(text, Markup::Markdown);
  REQUIRE(blocks.size() == 1);
  const auto at = static_cast<std::uint32_t>(blocks.front().text.find("2"));
  const Span there = blocks.front().place(Span{FileId{0}, at, at + 1});
  CHECK(there.begin == text.find("2"));
  CHECK(there.end == text.find("2") + 1);
}

TEST_CASE("a block that the end of its text closes has no place behind that", "[quoted-blocks]") {
  for (const std::string text : {"```\na: |\n  b", "```\na: |\n  b\n"}) {
    const std::vector<QuotedBlock> blocks = quoted_blocks(text, Markup::Markdown);
    REQUIRE(blocks.size() == 1);
    const auto end = static_cast<std::uint32_t>(blocks.front().text.size());
    CHECK(blocks.front().place(Span{FileId{0}, 3, end}).end == text.size());
    CHECK(blocks.front().place(Span{FileId{0}, end - 1, end}).end == text.size());
    CHECK(blocks.front().place(Span{FileId{0}, end, end}).begin <= text.size());
  }
}
