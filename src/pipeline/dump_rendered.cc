#include "base/strings.h"
#include "pipeline/dump.h"
#include "syntax/write_yaml.h"

namespace muster {
namespace {

/// Values as they are written: what stands without quotes may be a number.
void write_node(const Node& node, YamlWriter& out) {
  if (node.is_scalar()) {
    node.style() == ScalarStyle::Plain ? out.word(node.text()) : out.quoted(node.text());
  } else if (node.is_mapping()) {
    out.begin_mapping();
    for (std::size_t i = 0; i < node.size(); ++i) {
      out.quoted_key(node.key(i).text());
      write_node(node.value(i), out);
    }
    out.end_mapping();
  } else if (node.is_sequence()) {
    out.begin_sequence();
    for (std::size_t i = 0; i < node.size(); ++i) write_node(node.item(i), out);
    out.end_sequence();
  } else {
    out.null();
  }
}

}  // namespace

std::string dump_rendered(const Rendered& rendered, const SourceMap& sources) {
  std::string out;
  for (const RenderedBundle& bundle : rendered.bundles) {
    out += "# " + sources.file(bundle.made_by).path() + ": " + count_of(bundle.objects, "object") + "\n";
    for (const ParsedFile& file : bundle.files) {
      for (const Document& document : file.documents) {
        YamlWriter writer;
        write_node(document.root(), writer);
        out += "---\n" + writer.finish();
      }
    }
  }
  for (const NotRendered& one : rendered.not_rendered)
    out += "# " + sources.file(one.made_by).path() + ": not rendered: " + one.why + "\n";
  return out;
}

}  // namespace muster
