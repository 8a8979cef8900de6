#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace muster {

// A page that is written once and rendered as Markdown and as HTML. Its texts are prose with words of the input in it;
// the functions below mark those, so that each format can show them as they are and obey none of them.

/// A word of the input: a name, a path, a value.
std::string code(std::string_view word);
/// Ends a line within a text.
inline constexpr char kLineBreak = '\x03';
/// A sentence of a finding or proof, with the input's words in backticks.
std::string prose(std::string_view sentence);

/// What a colour says as well; the words beside it always say it too.
enum class Tone { Plain, Good, Caution, Bad, Quiet };

struct PageCell {
  std::string text;
  Tone tone = Tone::Plain;
  std::string link;  ///< id of a section, or an address that begins with https://
};

struct PageParagraph {
  std::string text;
  Tone tone = Tone::Plain;
};

struct PageList {
  std::vector<std::string> items;
  bool numbered = false;
};

struct PageTable {
  std::string caption;
  std::vector<std::string> head;
  std::vector<std::vector<PageCell>> rows;
};

/// A drawing in SVG, for wide and for narrow paper; `plain` says the same in lines of text.
struct PageFigure {
  std::string title;
  std::string description;
  std::string wide;
  std::string narrow;
  std::vector<std::string> plain;
};

/// Figures beside each other where there is room.
struct PageFigures {
  std::vector<PageFigure> figures;
};

using PageBlock = std::variant<PageParagraph, PageList, PageTable, PageFigures>;

struct PageSection {
  std::string id;
  std::string title;
  std::vector<PageBlock> blocks;
  std::vector<PageSection> parts;
};

struct Page {
  std::string title;
  std::vector<std::string> facts;  ///< a line each, below the title
  std::vector<PageSection> sections;
};

std::string page_markdown(const Page& page);
std::string page_html(const Page& page);

// Parts of the renderers that tests ask for.

/// A text of a page as Markdown that no character of the input can leave; `in_table`: within a cell.
enum class MarkdownPlace { Line, Cell };
std::string markdown_text(std::string_view text, MarkdownPlace place);
/// A text of a page as HTML.
std::string html_text(std::string_view text);
/// Plain text for an element or an attribute in double quotes, of HTML or SVG.
std::string escaped(std::string_view text);
/// Without the marks.
std::string unmarked(std::string_view text);

}  // namespace muster
