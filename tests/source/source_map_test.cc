#include "source/source_map.h"

#include "source/rare.h"
#include "support/catch.h"

using namespace muster;

namespace {

std::vector<std::string> positions(const SourceFile& file) {
  std::vector<std::string> out;
  for (std::uint32_t offset = 0; offset <= file.text().size(); ++offset) {
    const Position at = file.position(offset);
    out.push_back(std::to_string(at.line) + ":" + std::to_string(at.column));
  }
  return out;
}

}  // namespace

TEST_CASE("offsets become lines and columns of code points", "[source]") {
  const SourceFile file("a", "ab\n\u00e9x\r\n\nz");
  CHECK(positions(file) ==
        std::vector<std::string>{"1:1", "1:2", "1:3", "2:1", "2:2", "2:2", "2:3", "2:4", "3:1", "4:1", "4:2"});
  CHECK(file.position(4000) == Position{4, 2});
  CHECK(file.line_count() == 4);
  CHECK(file.line(1) == "ab");
  CHECK(file.line(2) == "\u00e9x");
  CHECK(file.line(3).empty());
  CHECK(file.line(4) == "z");
  CHECK(file.line_start(2) == 3);
  CHECK(file.line_start(99) == file.text().size());
}

TEST_CASE("an empty file has one empty line", "[source]") {
  const SourceFile file("a", "");
  CHECK(file.line_count() == 1);
  CHECK(file.line(1).empty());
  CHECK(file.position(0) == Position{1, 1});
}

TEST_CASE("columns of lines of many kilobytes are exact", "[source]") {
  std::string text = "first\n";
  std::vector<std::uint32_t> column_at;
  for (std::uint32_t i = 0; i < 9000; ++i) {
    column_at.push_back(static_cast<std::uint32_t>(text.size()));
    text += i % 3 == 0 ? "\u20ac" : "x";
  }
  const SourceFile file("a", text + "\nlast");
  for (std::uint32_t i = 0; i < 9000; ++i) REQUIRE(file.position(column_at[i]) == Position{2, i + 1});
  CHECK(file.position(static_cast<std::uint32_t>(text.size()) + 2) == Position{3, 2});
}

TEST_CASE("a source map gives each file its text back", "[source]") {
  SourceMap sources;
  const FileId a = sources.add("a", "one\ntwo");
  const FileId b = sources.add("b", "three");
  CHECK(sources.size() == 2);
  CHECK(sources.text_of({a, 4, 7}) == "two");
  CHECK(sources.text_of({b, 0, 5}) == "three");
  CHECK(sources.begin_of({a, 4, 7}) == Position{2, 1});
  CHECK(sources.end_of({a, 4, 7}) == Position{2, 4});
  CHECK(sources.file(b).path() == "b");
}

TEST_CASE("lines are told wherever they begin among the stretches of a text", "[source]") {
  for (const std::size_t length : {1U, 7U, 511U, 512U, 513U, 1500U}) {
    std::string text;
    while (text.size() < 5000) text.append(text.size() % 3, '\n').append(length, 'x').append("\n");
    const SourceFile file("a", text);
    Position at;
    for (std::uint32_t offset = 0; offset < text.size(); ++offset) {
      REQUIRE(file.position(offset) == at);
      if (at.column == 1) REQUIRE(file.line_start(at.line) == offset);
      at = text[offset] == '\n' ? Position{at.line + 1, 1} : Position{at.line, at.column + 1};
    }
    CHECK(file.line_count() == at.line);
    CHECK(file.line_start(at.line) == text.size());
  }
}

TEST_CASE("a value goes with what would decide it, and a field that is taken over alone does not", "[source]") {
  static_assert(sizeof(Origin) == 24, "the model has some hundred of them for each object");
  const auto open = unknown_until<int>("a release", Span{FileId{0}, 1, 2}, "version");
  Located<int> copy = open;
  CHECK(copy.field == "version");
  CHECK(copy.needs() == "a release");
  Located<int> moved = std::move(copy);
  CHECK(moved.needs() == "a release");
  CHECK(copy.field == "version");  // NOLINT(bugprone-use-after-move): as where it stands, that stays
  moved.field = "release";
  CHECK(moved.field == "release");
  CHECK(moved.needs() == "a release");
  Located<int> known = set_to(3, Span{}, "size");
  known.field = moved.field;
  CHECK(known.field == "release");
  CHECK(known.needs().empty());
  known = moved;
  CHECK(known.needs() == "a release");
  known = *&known;
  CHECK(known.needs() == "a release");
  known.set_needs("another");
  CHECK(known.needs() == "another");
  known.set_needs("");
  CHECK(known.field == "release");
  known = std::move(moved);
  known = set_to(4, Span{}, "size");
  CHECK(known.needs().empty());
  CHECK(known.field == "size");
}

TEST_CASE("rare parts read as empty until they are written to, and are copied", "[source]") {
  struct Parts {
    Rare<int> one;
    Rare<int> other;
  };
  RareParts<Parts> parts;
  CHECK(!parts->one.is_set());
  const RareParts<Parts> before = parts;
  parts.own().one = set_to(1, Span{});
  const RareParts<Parts> after = parts;
  parts.own().one = set_to(2, Span{});
  CHECK(!before->one.is_set());
  CHECK(after->one->value == 1);
  CHECK(parts->one->value == 2);
  CHECK(!parts->other.is_set());
}
