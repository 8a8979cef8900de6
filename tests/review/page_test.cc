// Texts of the input on a page: shown as they are, obeyed by no format.
#include "report/page.h"

#include <random>

#include "base/strings.h"
#include "support/catch.h"

using namespace muster;

namespace {

const std::vector<std::string> kHostile{"<script>alert(1)</script>",
                                        "\"><img src=x onerror=alert(1)>",
                                        "' onmouseover='x",
                                        "&lt;b&gt;",
                                        "`code` ``more``",
                                        "[link](https://example.com)",
                                        "a|b\n\n# heading",
                                        "](javascript:x)",
                                        "\x01\x02\x03 marks",
                                        "<!-- comment",
                                        "]]>",
                                        "\xff\xfe broken",
                                        "\xE2\x80\xAE reversed",
                                        "``` fence\n```",
                                        "![i](x)",
                                        "*bold* _it_ ~s~ $m$ @team",
                                        std::string(300, 'x'),
                                        "</style></svg>",
                                        "1. list",
                                        "- item"};

/// HTML without the elements that a text may have of its own.
std::string without_own_elements(std::string html) {
  for (const char* own : {"<code>", "</code>", "<wbr>", "<br>"}) html = replace_all(html, own, "");
  return html;
}

}  // namespace

TEST_CASE("no text of the input opens an element of HTML or ends an attribute", "[review]") {
  for (const std::string& text : kHostile) {
    INFO(text);
    for (const std::string& marked : {code(text), prose(text), prose("`" + text + "` holds")}) {
      const std::string html = without_own_elements(html_text(marked));
      CHECK(html.find_first_of("<>\"'") == std::string::npos);
    }
    CHECK(escaped(text).find_first_of("<>\"'") == std::string::npos);
  }
  CHECK(html_text(code("<script>")) == "<code>&lt;script&gt;</code>");
  CHECK(escaped("a&b<c>\"d'") == "a&amp;b&lt;c&gt;&quot;d&#39;");
}

TEST_CASE("no text of the input ends a code span, a cell or a line of Markdown", "[review]") {
  for (const std::string& text : kHostile) {
    INFO(text);
    for (const MarkdownPlace place : {MarkdownPlace::Line, MarkdownPlace::Cell}) {
      const std::string word = markdown_text(code(text), place);
      CHECK(word.find('\n') == std::string::npos);
      // The fence stands at both ends and nowhere else in its length.
      const std::size_t fence = word.find_first_not_of('`');
      REQUIRE(fence > 0);
      const std::string inner = word.substr(fence, word.size() - 2 * fence);
      CHECK(word.substr(word.size() - fence) == std::string(fence, '`'));
      for (std::size_t at = 0, run = 0; at < inner.size(); ++at) {
        run = inner[at] == '`' ? run + 1 : 0;
        CHECK(run < fence);
      }
      if (place == MarkdownPlace::Cell)
        for (std::size_t at = word.find('|'); at != std::string::npos; at = word.find('|', at + 1))
          CHECK(word[at - 1] == '\\');
    }
    const std::string line = markdown_text(prose(text), MarkdownPlace::Line);
    CHECK(line.find('<') == std::string::npos);
    CHECK_FALSE(line.starts_with("- "));
    CHECK_FALSE(line.starts_with("1. "));
    CHECK(line.find("](") == line.find("\\](") + (line.find("\\](") == std::string::npos ? 0 : 1));
  }
  CHECK(markdown_text(code("a`b"), MarkdownPlace::Line) == "``a`b``");
  CHECK(markdown_text(code("`"), MarkdownPlace::Line) == "`` ` ``");
  CHECK(markdown_text(prose("`a` is <b>"), MarkdownPlace::Line) == "`a` is &lt;b>");
  CHECK(markdown_text(prose("5.5 days"), MarkdownPlace::Cell) == "5.5 days");
}

TEST_CASE("random bytes leave no page", "[review]") {
  std::mt19937 random(5);
  constexpr std::string_view kLetters = "<>&\"'`|\n\\[]()!*_#ab \x01\x02\x03\xff\xc3";
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (std::size_t n = random() % 24; n > 0; --n) text += kLetters[random() % kLetters.size()];
    const std::string html = without_own_elements(html_text(prose(text) + code(text)));
    INFO(text);
    REQUIRE(html.find_first_of("<>\"'\n\x01\x02\x03") == std::string::npos);
    REQUIRE(markdown_text(prose(text) + " " + code(text), MarkdownPlace::Cell).find_first_of("\n\x01\x02\x03") ==
            std::string::npos);
  }
}

TEST_CASE("a number and its percent sign stay on one line", "[review]") {
  CHECK(html_text("98.9 % of it") == "98.9\u00a0% of it");
  CHECK(html_text(code("a %b")) == "<code>a %b</code>");
}

TEST_CASE("a long word has places to break, and a short one none", "[review]") {
  CHECK(html_text(code("abc")) == "<code>abc</code>");
  CHECK(html_text("HorizontalPodAutoscaler") == "Horizontal<wbr>PodAutoscaler");
  const std::string html = html_text(code(std::string(100, 'x')));
  std::size_t widest = 0;
  for (std::size_t at = 0; at < html.size();) {
    const std::size_t next = std::min(html.find("<wbr>", at), html.size());
    widest = std::max(widest, next - at);
    at = next + 5;
  }
  CHECK(widest <= 18 + std::string_view("<code></code>").size());
}

TEST_CASE("a page is the same in both formats", "[review]") {
  Page page;
  page.title = "Of " + code("x");
  page.facts = {"one"};
  page.sections = {{"s", "Section", {PageParagraph{"text", Tone::Plain}, PageList{{"a", "b"}, true}}, {}}};
  page.sections.front().blocks.push_back(
      PageTable{"", {"A", "B"}, {{{code("a|b"), Tone::Plain, "s"}, {"bad", Tone::Bad, ""}}}});
  page.sections.front().blocks.push_back(PageFigures{{{"Figure", "d", "<svg></svg>\n", "", {"plain ```"}}}});
  CHECK(
      page_markdown(page) ==
      "# Of `x`\n\n* one\n\n## Section\n\ntext\n\n1. a\n2. b\n\n| A | B |\n|---|---|\n| `a\\|b` | bad |\n\nFigure:\n\n"
      "````text\nplain ```\n````\n");
  const std::string html = page_html(page);
  CHECK(contains(html, "<section class=\"level2\" id=\"s\" aria-labelledby=\"s-title\">"));
  CHECK(contains(html,
                 "<th scope=\"row\"><a href=\"#s\"><code>a|b</code></a></th><td data-label=\"B\">"
                 "<span class=\"badge bad\">bad</span></td>"));
  CHECK(contains(html, "<figcaption>Figure</figcaption>\n<svg></svg>"));
}
