// Lines and columns as editors count them.
#include "lsp/text_position.h"

#include "base/utf8.h"
#include "support/catch.h"

namespace {

using muster::LineIndex;
using muster::PositionEncoding;
using muster::TextPosition;

constexpr const char* kText = "a\xC3\xA4\xF0\x9F\x9A\x80z\r\nsecond\rthird\n\nlast";

std::pair<std::uint32_t, std::uint32_t> place(std::size_t offset, PositionEncoding encoding) {
  const TextPosition at = LineIndex(kText).position(offset, encoding);
  return {at.line, at.character};
}

std::size_t offset(std::uint32_t line, std::uint32_t character, PositionEncoding encoding) {
  return LineIndex(kText).offset({line, character}, encoding);
}

using Place = std::pair<std::uint32_t, std::uint32_t>;

}  // namespace

TEST_CASE("a column counts UTF-16 code units, or bytes where both sides agree on them", "[lsp]") {
  CHECK(place(7, PositionEncoding::Utf16) == Place(0, 4));  // a, ae, and a rocket of two units
  CHECK(place(7, PositionEncoding::Utf8) == Place(0, 7));
  CHECK(offset(0, 4, PositionEncoding::Utf16) == 7);
  CHECK(offset(0, 7, PositionEncoding::Utf8) == 7);
}

TEST_CASE("each of the three line ends begins a line", "[lsp]") {
  CHECK(place(10, PositionEncoding::Utf16) == Place(1, 0));
  CHECK(place(17, PositionEncoding::Utf16) == Place(2, 0));
  CHECK(place(23, PositionEncoding::Utf16) == Place(3, 0));
  CHECK(place(24, PositionEncoding::Utf16) == Place(4, 0));
  CHECK(LineIndex(kText).line(1) == "second");
  CHECK(LineIndex(kText).line(9).empty());
}

TEST_CASE("what lies outside of a line or within a character is taken for what is next to it", "[lsp]") {
  CHECK(offset(0, 99, PositionEncoding::Utf16) == 8);
  CHECK(offset(0, 3, PositionEncoding::Utf16) == 3);  // the second unit of the rocket
  CHECK(offset(0, 2, PositionEncoding::Utf8) == 1);   // the second byte of ae
  CHECK(offset(4, 99, PositionEncoding::Utf16) == 28);
  CHECK(offset(99, 0, PositionEncoding::Utf16) == 28);
  CHECK(LineIndex("").offset({0, 0}, PositionEncoding::Utf16) == 0);
}

TEST_CASE("every place leads back to its byte", "[lsp]") {
  const std::string text = kText;
  const LineIndex lines(text);
  for (const PositionEncoding encoding : {PositionEncoding::Utf16, PositionEncoding::Utf8}) {
    for (std::size_t at = 0; at <= text.size(); at += at < text.size() ? muster::code_point_length(text, at) : 1) {
      if (at == 9) continue;  // between \r and \n nothing can be pointed at
      INFO(at);
      CHECK(lines.offset(lines.position(at, encoding), encoding) == at);
    }
  }
}
