#include "source/snippet.h"

#include "support/catch.h"

using namespace muster;

namespace {

/// The snippet of `marked` in `text`, without its gutter.
std::string shown(const std::string& text, const std::string& marked) {
  SourceMap sources;
  const FileId file = sources.add("a", text);
  const auto begin = static_cast<std::uint32_t>(text.find(marked));
  const std::string snippet =
      render_snippet(sources, {file, begin, begin + static_cast<std::uint32_t>(marked.size())}, 2);
  std::string out;
  for (std::size_t at = 0; at < snippet.size();) {
    const std::size_t end = snippet.find('\n', at);
    const std::string line = snippet.substr(at, end - at);
    if (line.size() > 6) out += line.substr(6) + "\n";
    at = end + 1;
  }
  return out;
}

}  // namespace

TEST_CASE("a snippet shows the line and points at the place", "[source]") {
  SourceMap sources;
  const FileId file = sources.add("a", "x\nkey: value\n");
  CHECK(render_snippet(sources, {file, 7, 12}, 2) ==
        "    |\n"
        "  2 | key: value\n"
        "    |      ^^^^^\n");
  CHECK(render_snippet(sources, {file, 13, 13}, 3) ==
        "     |\n"
        "   3 | \n"
        "     | ^\n");
  CHECK(gutter_width(9) == 2);
  CHECK(gutter_width(1234) == 4);
}

TEST_CASE("carets stand below characters, whatever their bytes", "[source]") {
  CHECK(shown("\u00e9\u00e9: \u20ac\u20acx", "\u20ac\u20ac") ==
        "\u00e9\u00e9: \u20ac\u20acx\n"
        "    ^^\n");
}

TEST_CASE("a tab takes one column", "[source]") {
  CHECK(shown("\tkey:\tvalue", "value") ==
        " key: value\n"
        "      ^^^^^\n");
}

TEST_CASE("a span over several lines is marked on its first", "[source]") {
  CHECK(shown("key: a\n  b\n", "a\n  b") ==
        "key: a\n"
        "     ^\n");
}

TEST_CASE("control characters are shown, never sent to the terminal", "[source]") {
  CHECK(shown("a \x1b[31mred\x07 b\r\n", "b") ==
        "a \\x1b[31mred\\x07 b\n"
        "                  ^\n");
  CHECK(shown("a \u202ered\u0085", "red") ==
        "a \\u202ered\\u0085\n"
        "        ^^^\n");
}

TEST_CASE("a wide line is cut around its place", "[source]") {
  const std::string text = std::string(1000, 'a') + "HERE" + std::string(1000, 'b');
  CHECK(shown(text, "HERE") ==
        "..." + std::string(50, 'a') + "HERE" + std::string(96, 'b') + "...\n" + std::string(53, ' ') + "^^^^\n");
  SECTION("and so is a wide place") {
    CHECK(shown("x: " + std::string(1000, 'c'), std::string(1000, 'c')) ==
          "x: " + std::string(147, 'c') + "...\n   " + std::string(147, '^') + "\n");
  }
  SECTION("between characters, not within them") {
    std::string wide;
    for (int i = 0; i < 1000; ++i) wide += "\u20ac";
    const std::string snippet = shown(wide + "HERE" + wide, "HERE");
    CHECK(snippet.find("\\x") == std::string::npos);
    CHECK(snippet.find("\u20acHERE\u20ac") != std::string::npos);
  }
}
