#include "syntax/write_yaml.h"

#include "syntax/yaml_emitter.h"

#include <random>

#include "support/catch.h"
#include "support/second_yaml.h"
#include "syntax/yaml_reader.h"

using namespace muster;
using As = YamlWriter::Layout;

namespace {

/// The one text of a document, which has to be a text to both readers.
std::string read_back(const std::string& yaml) {
  Document document;
  std::vector<Finding> findings;
  const std::string text = "k: " + yaml + "\n";
  REQUIRE(read_yaml(text, {FileId{0}, 0, static_cast<std::uint32_t>(text.size())}, document, findings));
  CHECK(findings.empty());
  CHECK(document.root()["k"].is_scalar());
  CHECK(test::second_reading(text).text == test::first_reading(text).text);
  return std::string(document.root()["k"].text());
}

}  // namespace

TEST_CASE("a document is written as people write it", "[write-yaml]") {
  YamlWriter out;
  out.begin_mapping().key("muster").word("world/v1").key("name").text("a b").key("pools").begin_sequence();
  out.begin_mapping().key("name").text("p").key("nodes").begin_sequence();
  out.begin_mapping(As::Flow)
      .key("count")
      .number(-3)
      .key("labels")
      .begin_mapping(As::Flow)
      .key("a/b")
      .text("yes")
      .end_mapping()
      .end_mapping();
  out.end_sequence().end_mapping().end_sequence();
  out.key("levels")
      .begin_sequence(As::Flow)
      .text("a")
      .quoted("b")
      .end_sequence()
      .key("gangs")
      .begin_sequence()
      .end_sequence()
      .end_mapping();
  CHECK(out.finish() ==
        "muster: world/v1\nname: \"a b\"\npools:\n  - name: p\n    nodes:\n      - {count: -3, labels: {\"a/b\": "
        "\"yes\"}}\n"
        "levels: [a, \"b\"]\ngangs:\n  []\n");
}

TEST_CASE("texts that a reader could take for something else are quoted", "[write-yaml]") {
  for (const std::string text : {"a", "h100-sxm", "v1.2_3", "Node"}) CHECK(yaml_text(text) == text);
  for (const std::string text :
       {"",   "8",      "010", "1e3", "true", "No", "y",  "NULL", "~",   "-",   "a b",  "a: b", "#",
        "a#", "n[1-4]", "*a",  "&a",  "!a",   "|",  "{}", "\n",   "a\n", " a ", "a\tb", "1:30", "2026-01-01"}) {
    INFO(text);
    CHECK(yaml_text(text).front() == '"');
    CHECK(read_back(yaml_text(text)) == text);
  }
}

TEST_CASE("any text is read back as it was", "[write-yaml]") {
  std::mt19937_64 random(7);
  constexpr std::string_view kPieces[] = {
      "a",    " ",      "\n",     "\r",     "\t",     "\"",     "\\",     "'",          "#", ":", "\x01",
      "\x7f", "\u0085", "\u00a0", "\u00e9", "\u2028", "\u2029", "\ufeff", "\U0001F600", "-", "{", "0"};
  for (int i = 0; i < 3000; ++i) {
    std::string text;
    for (std::uint64_t n = random() % 8; n > 0; --n) text += kPieces[random() % std::size(kPieces)];
    if (read_back(yaml_text(text)) != text) FAIL(yaml_text(text));
  }
}

TEST_CASE("what follows a text that is no UTF-8 is not written, and not kept", "[write-yaml]") {
  muster::YamlEmitter emitter;
  emitter.begin_sequence();
  emitter.scalar("\xff", muster::YamlEmitter::Style::Plain);
  emitter.scalar("behind it", muster::YamlEmitter::Style::Plain);  // LeakSanitizer would see it
  emitter.end_sequence();
  CHECK(emitter.finish().empty());
}
