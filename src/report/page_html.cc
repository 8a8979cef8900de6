#include "base/check.h"
#include "embed/assets.h"
#include "report/page.h"

namespace muster {
namespace {

std::string_view class_of(Tone tone) {
  switch (tone) {
    case Tone::Plain: return "";
    case Tone::Good: return "good";
    case Tone::Caution: return "caution";
    case Tone::Bad: return "bad";
    case Tone::Quiet: return "quiet";
  }
  return "";
}

class HtmlPage {
 public:
  std::string run(const Page& page) {
    const Asset* style = find_asset("styles/review.css");
    MUSTER_CHECK(style != nullptr, "the style of the page is compiled in");
    const std::string title = escaped(unmarked(page.title));
    out_ =
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        // Whatever a text of the input might try, the page fetches and runs nothing.
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n<title>" +
        title + "</title>\n<style>\n" + std::string(style->text) + "</style>\n</head>\n<body>\n" +
        "<a class=\"skip\" href=\"#main\">Skip to the review</a>\n<header>\n<h1>" + html_text(page.title) +
        "</h1>\n<ul class=\"facts\">\n";
    for (const std::string& fact : page.facts) out_ += "<li>" + html_text(fact) + "</li>\n";
    out_ += "</ul>\n</header>\n<nav aria-label=\"Contents\">\n<ol>\n";
    for (const PageSection& section : page.sections)
      out_ += "<li><a href=\"#" + escaped(section.id) + "\">" + html_text(section.title) + "</a></li>\n";
    out_ += "</ol>\n</nav>\n<main id=\"main\">\n";
    for (const PageSection& section : page.sections) write(section, 2);
    out_ += "</main>\n</body>\n</html>\n";
    return std::move(out_);
  }

 private:
  void write(const PageSection& section, std::size_t level) {
    const std::string heading = "h" + std::to_string(level);
    out_ += "<section class=\"level" + std::to_string(level) + "\"";
    if (!section.id.empty()) {
      const std::string id = escaped(section.id);
      out_ += " id=\"" + id + "\" aria-labelledby=\"" + id + "-title\">\n<" + heading + " id=\"" + id + "-title\">";
    } else {
      out_ += ">\n<" + heading + ">";
    }
    out_ += html_text(section.title) + "</" + heading + ">\n";
    for (const PageBlock& block : section.blocks) std::visit([&](const auto& one) { write(one); }, block);
    for (const PageSection& part : section.parts) write(part, level + 1);
    out_ += "</section>\n";
  }

  static std::string with_class(std::string_view tag, Tone tone) {
    const std::string_view name = class_of(tone);
    return "<" + std::string(tag) + (name.empty() ? "" : " class=\"" + std::string(name) + "\"") + ">";
  }

  void write(const PageParagraph& paragraph) {
    out_ += with_class("p", paragraph.tone) + html_text(paragraph.text) + "</p>\n";
  }

  void write(const PageList& list) {
    const std::string tag = list.numbered ? "ol" : "ul";
    out_ += "<" + tag + ">\n";
    for (const std::string& item : list.items) out_ += "<li>" + html_text(item) + "</li>\n";
    out_ += "</" + tag + ">\n";
  }

  /// On narrow paper each row becomes a card whose lines are named by `data-label`.
  void write(const PageTable& table) {
    out_ += "<table>\n";
    if (!table.caption.empty()) out_ += "<caption>" + html_text(table.caption) + "</caption>\n";
    out_ += "<thead><tr>";
    for (const std::string& name : table.head) out_ += "<th scope=\"col\">" + html_text(name) + "</th>";
    out_ += "</tr></thead>\n<tbody>\n";
    for (const std::vector<PageCell>& row : table.rows) {
      out_ += "<tr>";
      for (std::size_t i = 0; i < row.size(); ++i) write_cell(row[i], i == 0, table.head[i]);
      out_ += "</tr>\n";
    }
    out_ += "</tbody>\n</table>\n";
  }

  void write_cell(const PageCell& cell, bool first, const std::string& name) {
    out_ += first ? "<th scope=\"row\">" : "<td data-label=\"" + escaped(unmarked(name)) + "\">";
    std::string text = html_text(cell.text);
    if (cell.tone != Tone::Plain)
      text = "<span class=\"badge " + std::string(class_of(cell.tone)) + "\">" + text + "</span>";
    const std::string to = cell.link.starts_with("https://") ? cell.link : "#" + cell.link;
    if (!cell.link.empty()) text = "<a href=\"" + escaped(to) + "\">" + text + "</a>";
    out_ += text + (first ? "</th>" : "</td>");
  }

  void write(const PageFigures& figures) {
    out_ += figures.figures.size() > 1 ? "<div class=\"beside\">\n" : "";
    for (const PageFigure& figure : figures.figures) {
      out_ += "<figure>\n<figcaption>" + html_text(figure.title) + "</figcaption>\n";
      if (figure.narrow.empty()) {
        out_ += figure.wide;
      } else {
        out_ += "<div class=\"on-wide\">\n" + figure.wide + "</div>\n<div class=\"on-narrow\">\n" + figure.narrow +
                "</div>\n";
      }
      out_ += "</figure>\n";
    }
    out_ += figures.figures.size() > 1 ? "</div>\n" : "";
  }

  std::string out_;
};

}  // namespace

std::string page_html(const Page& page) { return HtmlPage().run(page); }

}  // namespace muster
