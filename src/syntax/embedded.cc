#include "syntax/embedded.h"

#include <vector>

#include "syntax/yaml_reader.h"

namespace muster {

Embedded read_embedded(const Node& text, std::string_view source) {
  Embedded out;
  out.outer = text.where();
  std::vector<Finding> findings;
  // A block, without its first line, is a document of its own: its values have places.
  const std::size_t line_end = source.find('\n', out.outer.begin);
  if (source.substr(out.outer.begin, 1) == "|" && line_end < out.outer.end) {
    const Span body{out.outer.file, static_cast<std::uint32_t>(line_end + 1), out.outer.end};
    out.in_place = read_yaml(source, body, out.document, findings);
    out.readable = out.in_place;
    out.clean = out.readable && findings.empty();
    if (out.readable) return out;
    findings.clear();
    out.document = Document{};
  }
  const std::string_view words = text.text();
  const Span whole{out.outer.file, 0, static_cast<std::uint32_t>(words.size())};
  out.readable = read_yaml(words, whole, out.document, findings);
  out.clean = out.readable && findings.empty();
  return out;
}

}  // namespace muster
