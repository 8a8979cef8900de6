#include "support/outline.h"

namespace muster::test {
namespace {

std::string place(const Span& where, const SourceMap& sources) {
  const Position begin = sources.begin_of(where);
  const Position end = sources.end_of(where);
  return std::to_string(begin.line) + ":" + std::to_string(begin.column) + "-" + std::to_string(end.line) + ":" +
         std::to_string(end.column);
}

std::string shown(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '\n' ? "\\n" : c == '\t' ? "\\t" : c == '\r' ? "\\r" : std::string(1, c);
  return out;
}

void walk(const Node& node, const SourceMap& sources, int depth, const std::string& lead, std::string& out) {
  const std::string margin(static_cast<std::size_t>(2 * depth), ' ');
  out += margin + place(node.where(), sources) + " " + lead;
  switch (node.kind()) {
    case NodeKind::Null: out += "null\n"; return;
    case NodeKind::Alias: out += "alias of nothing\n"; return;
    case NodeKind::Scalar:
      out += (node.style() == ScalarStyle::Plain ? "plain " : "quoted ") + shown(node.text()) + "\n";
      return;
    case NodeKind::Sequence: out += "sequence\n"; break;
    case NodeKind::Mapping: out += "mapping\n"; break;
  }
  if (depth >= 40) return;
  if (node.is_sequence()) {
    for (std::size_t i = 0; i < node.size(); ++i) walk(node.item(i), sources, depth + 1, "", out);
    return;
  }
  for (std::size_t i = 0; i < node.size(); ++i) {
    walk(node.key(i), sources, depth + 1, "key ", out);
    walk(node.value(i), sources, depth + 1, "", out);
  }
}

}  // namespace

std::string outline(const Document& document, const SourceMap& sources) {
  std::string out;
  walk(document.root(), sources, 0, "", out);
  return out;
}

std::string list_findings(const std::vector<Finding>& findings, const SourceMap& sources) {
  std::string out;
  for (const Finding& finding : findings)
    out += place(finding.where, sources) + " " + finding.rule + ": " + finding.message + "\n";
  return out;
}

}  // namespace muster::test
