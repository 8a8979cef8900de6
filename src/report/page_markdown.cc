#include <algorithm>

#include "base/strings.h"
#include "report/page.h"

namespace muster {
namespace {

class MarkdownPage {
 public:
  std::string run(const Page& page) {
    out_ = "# " + line(page.title) + "\n\n";
    for (const std::string& fact : page.facts) out_ += "* " + line(fact) + "\n";
    for (const PageSection& section : page.sections) write(section, 2);
    return std::move(out_);
  }

 private:
  static std::string line(std::string_view text) { return markdown_text(text, MarkdownPlace::Line); }

  void write(const PageSection& section, std::size_t level) {
    out_ += "\n" + std::string(level, '#') + " " + line(section.title) + "\n";
    for (const PageBlock& block : section.blocks) {
      out_ += "\n";
      std::visit([&](const auto& one) { write(one); }, block);
    }
    for (const PageSection& part : section.parts) write(part, level + 1);
  }

  void write(const PageParagraph& paragraph) { out_ += line(paragraph.text) + "\n"; }

  void write(const PageList& list) {
    for (std::size_t i = 0; i < list.items.size(); ++i)
      out_ += (list.numbered ? std::to_string(i + 1) + ". " : "* ") + line(list.items[i]) + "\n";
  }

  void write(const PageTable& table) {
    const auto row = [&](const auto& cells, const auto& text_of) {
      out_ += "|";
      for (const auto& cell : cells) out_ += " " + markdown_text(text_of(cell), MarkdownPlace::Cell) + " |";
      out_ += "\n";
    };
    row(table.head, [](const std::string& name) -> const std::string& { return name; });
    out_ += "|" + replace_all(std::string(table.head.size(), 'x'), "x", "---|") + "\n";
    for (const std::vector<PageCell>& cells : table.rows)
      row(cells, [](const PageCell& cell) -> const std::string& { return cell.text; });
  }

  /// The same as lines of text, in a fence that none of them can end.
  void write(const PageFigures& figures) {
    for (const PageFigure& figure : figures.figures) {
      std::size_t longest = 2;
      for (const std::string& text : figure.plain) {
        std::size_t run = 0;
        for (const char c : text) {
          run = c == '`' ? run + 1 : 0;
          longest = std::max(longest, run);
        }
      }
      const std::string fence(longest + 1, '`');
      if (&figure != &figures.figures.front()) out_ += "\n";
      out_ += line(figure.title) + ":\n\n" + fence + "text\n";
      for (const std::string& text : figure.plain) out_ += unmarked(text) + "\n";
      out_ += fence + "\n";
    }
  }

  std::string out_;
};

}  // namespace

std::string page_markdown(const Page& page) { return MarkdownPage().run(page); }

}  // namespace muster
