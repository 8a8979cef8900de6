#include "syntax/embedded.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "syntax/yaml_reader.h"

namespace muster {
namespace {

constexpr std::size_t kMostText = 64 * 1024;
constexpr std::size_t kMostValues = 20'000;

/// False where it is too much, or a key is no text, as where a mark of a template reads as a mapping: `{{gpus}}`.
bool copy_to(const Node& node, Span where, DocumentBuilder& builder, std::size_t& budget) {
  if (budget == 0) return false;
  --budget;
  if (node.is_scalar()) builder.scalar(where.begin, where.end, node.text(), node.style());
  if (!node.is_mapping() && !node.is_sequence()) {
    if (!node.is_scalar()) builder.null(where.begin);
    return true;
  }
  if (!builder.begin_container(node.kind(), where.begin)) return false;
  for (std::size_t i = 0; i < node.size(); ++i) {
    if (node.is_mapping() && !node.key(i).is_scalar()) return false;
    if (node.is_mapping()) builder.scalar(where.begin, where.end, node.key(i).text(), node.key(i).style());
    if (!copy_to(node.is_mapping() ? node.value(i) : node.item(i), where, builder, budget)) return false;
  }
  builder.end_container_at(where.end);
  return true;
}

/// False where anything else is wrong with it.
bool only_keys_twice(std::vector<Finding>& findings, Span where) {
  for (Finding& finding : findings) {
    if (finding.rule != "duplicate-key") return false;
    finding.where = where;
    finding.related.clear();
  }
  return true;
}

}  // namespace

std::optional<Document> read_text_document(const Node& text, std::vector<Finding>* twice) {
  if (!text.is_scalar() || text.text().size() > kMostText) return std::nullopt;
  const Span where = text.where();
  const std::string_view words = text.text();
  std::vector<Finding> findings;
  Document read;
  const Span whole{where.file, 0, static_cast<std::uint32_t>(words.size())};
  if (!read_yaml(words, whole, read, findings)) return std::nullopt;
  if (!findings.empty() && (twice == nullptr || !only_keys_twice(findings, where))) return std::nullopt;
  DocumentBuilder builder(where.file, where);
  std::size_t budget = kMostValues;
  if (!copy_to(read.root(), where, builder, budget)) return std::nullopt;
  if (twice != nullptr) std::ranges::move(findings, std::back_inserter(*twice));
  return std::move(builder).finish();
}

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
