#include "support/second_yaml.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <vector>

#include "syntax/yaml_reader.h"

namespace muster::test {
namespace {

constexpr int kShownDepth = 600;  // both readers stop at 500

std::string shown(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\\') {
      out += "\\\\";
    } else {
      out += c;
    }
  }
  return out;
}

/// Where a scalar begins, for those without properties in front of them.
std::string at(std::string_view document, std::size_t begin) {
  const std::size_t before = begin == 0 ? document.npos : document.find_last_not_of(" \t\r\n", begin - 1);
  const std::size_t line = before == document.npos ? 0 : document.find_last_of(" \t\r\n,[{", before) + 1;
  const bool properties =
      before != document.npos && line < document.size() && (document[line] == '&' || document[line] == '!');
  return properties ? "" : std::to_string(begin) + " ";
}

/// An anchored null is a scalar to our reader, so that aliases find it.
bool is_null(const Node& node) {
  const std::string_view text = node.text();
  return node.is_null() || (node.style() == ScalarStyle::Plain && node.is_scalar() &&
                            (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL"));
}

void walk(const Node& node, std::string_view document, int depth, std::string& out) {
  const std::string margin(static_cast<std::size_t>(depth), ' ');
  switch (is_null(node) ? NodeKind::Null : node.kind()) {
    case NodeKind::Null: out += margin + "null\n"; return;
    case NodeKind::Alias: out += margin + "alias\n"; return;
    case NodeKind::Scalar:
      out += margin + (node.text().empty() ? "" : at(document, node.where().begin)) +
             (node.style() == ScalarStyle::Plain ? "plain " : "quoted ") + shown(node.text()) + "\n";
      return;
    case NodeKind::Sequence: out += margin + "sequence\n"; break;
    case NodeKind::Mapping: out += margin + "mapping\n"; break;
  }
  if (depth > kShownDepth || out.size() > (64U << 20)) return;
  for (std::size_t i = 0; i < node.size(); ++i) {
    if (node.is_mapping()) walk(node.key(i), document, depth + 1, out);
    walk(node.is_mapping() ? node.value(i) : node.item(i), document, depth + 1, out);
  }
}

/// Writes the lines of `walk` from events; what is anchored is kept, for its aliases.
class Events : public YAML::EventHandler {
 public:
  explicit Events(std::string_view document) : document_(document) {}

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t anchor) override { leaf("null", anchor); }
  void OnAlias(const YAML::Mark&, YAML::anchor_t anchor) override {
    const auto found = anchored_.find(anchor);
    if (found == anchored_.end()) throw YAML::ParserException(YAML::Mark::null_mark(), "a value contains itself");
    for (const Line& line : found->second) lines_.push_back({line.depth + depth_, line.text});
    if (lines_.size() > 2'000'000) throw YAML::ParserException(YAML::Mark::null_mark(), "too many values");
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    const bool plain = tag == "?" || tag == "tag:yaml.org,2002:merge";
    leaf((value.empty() ? "" : at(document_, begin_of(mark))) + (plain ? "plain " : "quoted ") + shown(value), anchor);
  }
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open("sequence", anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t anchor, YAML::EmitterStyle::value) override {
    open("mapping", anchor);
  }
  void OnMapEnd() override { close(); }

  std::string text() const {
    std::string out;
    for (const Line& line : lines_) out += std::string(line.depth, ' ') + line.text + "\n";
    return out;
  }

 private:
  struct Line {
    std::size_t depth;
    std::string text;
  };
  struct Open {
    std::size_t first;
    YAML::anchor_t anchor;
  };

  /// yaml-cpp's mark of a value with properties is that of the properties.
  std::size_t begin_of(const YAML::Mark& mark) const {
    std::size_t at = static_cast<std::size_t>(mark.pos);
    while (at < document_.size() && (document_[at] == '&' || document_[at] == '!')) {
      const std::size_t word = std::min(document_.find_first_of(" \t\r\n,[]{}", at), document_.size());
      const std::size_t next = document_.find_first_not_of(" \t\r\n", word);
      if (next == document_.npos) break;
      at = next;
    }
    return at;
  }

  void keep(std::size_t first, YAML::anchor_t anchor) {
    if (anchor == 0) return;
    std::vector<Line>& kept = anchored_[anchor];
    for (std::size_t i = first; i < lines_.size(); ++i)
      kept.push_back({lines_[i].depth - lines_[first].depth, lines_[i].text});
  }
  void leaf(std::string text, YAML::anchor_t anchor) {
    lines_.push_back({depth_, std::move(text)});
    keep(lines_.size() - 1, anchor);
  }
  void open(std::string text, YAML::anchor_t anchor) {
    open_.push_back({lines_.size(), anchor});
    lines_.push_back({depth_++, std::move(text)});
  }
  void close() {
    --depth_;
    keep(open_.back().first, open_.back().anchor);
    open_.pop_back();
  }

  std::string_view document_;
  std::vector<Line> lines_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, std::vector<Line>> anchored_;
  std::size_t depth_ = 0;
};

}  // namespace

YamlTree first_reading(std::string_view document) {
  Document read;
  std::vector<Finding> findings;
  const bool good = read_yaml(document, {FileId{0}, 0, static_cast<std::uint32_t>(document.size())}, read, findings);
  YamlTree out;
  const auto syntax = std::ranges::find(findings, "yaml-syntax", &Finding::rule);
  if (syntax != findings.end()) out.error = syntax->message;
  if (good && out.error.empty()) walk(read.root(), document, 0, out.text);
  return out;
}

YamlTree second_reading(std::string_view document) {
  YamlTree out;
  try {
    std::istringstream in{std::string(document)};
    YAML::Parser parser(in);
    Events events(document);
    if (!parser.HandleNextDocument(events)) return {"null\n", ""};
    out.text = events.text();
    Events more(document);
    if (parser.HandleNextDocument(more)) return {"", "a second document"};
  } catch (const YAML::Exception& error) {
    return {"", error.msg};
  }
  return out;
}

}  // namespace muster::test
