#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "source/span.h"

namespace muster {

enum class NodeKind : unsigned char { Null, Scalar, Sequence, Mapping, Alias };
enum class ScalarStyle : unsigned char { Plain, Quoted };

class Document;

/// A value of a YAML or JSON document: a light handle that is never null. Asking a missing key gives a node that does
/// not exist but still knows the nearest enclosing place, so that `doc["spec"]["queue"].where()` always points somewhere.
/// Aliases are followed, never expanded: a walk over all children must bound its depth.
class Node {
 public:
  Node() = default;

  bool exists() const { return exists_; }
  explicit operator bool() const { return exists_; }
  NodeKind kind() const;
  bool is_mapping() const { return exists_ && kind() == NodeKind::Mapping; }
  bool is_sequence() const { return exists_ && kind() == NodeKind::Sequence; }
  bool is_scalar() const { return exists_ && kind() == NodeKind::Scalar; }
  bool is_null() const { return exists_ && kind() == NodeKind::Null; }
  /// A scalar's value without quotes and escapes; empty for everything else.
  std::string_view text() const;
  ScalarStyle style() const;
  /// The value's place; for null, missing and empty values that of the key or the nearest enclosing value.
  Span where() const;
  /// The key this value stands under, or where() in a sequence or at the root.
  Span key_where() const;

  /// Number of items or members.
  std::size_t size() const;
  /// Items of a sequence; i < size().
  Node item(std::size_t i) const;
  /// Members of a mapping in source order, duplicates included; i < size().
  Node key(std::size_t i) const;
  Node value(std::size_t i) const;
  /// The last member with that key, as parsers of duplicate keys do; YAML merge keys (`<<`) are honoured.
  Node operator[](std::string_view name) const { return find(name, 0); }

 private:
  friend class Document;
  Node(const Document* document, std::uint32_t index, bool exists, Span key);
  Node find(std::string_view name, int depth) const;

  const Document* document_ = nullptr;
  std::uint32_t index_ = 0;  ///< of the node, or of the nearest enclosing one when it does not exist
  bool exists_ = false;
  Span key_;
};

/// One parsed document. Built by DocumentBuilder; immutable afterwards.
class Document {
 public:
  Node root() const;
  FileId file() const { return file_; }
  /// The stretch of the file this document takes.
  Span where() const { return where_; }

 private:
  friend class Node;
  friend class DocumentBuilder;

  struct Data {
    NodeKind kind = NodeKind::Null;
    ScalarStyle style = ScalarStyle::Plain;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint32_t first = 0;  ///< first child in children_; target node for an alias
    std::uint32_t count = 0;  ///< items, or keys plus values
    std::string_view text;    ///< in texts_
  };

  FileId file_ = FileId::None;
  Span where_;
  std::vector<Data> nodes_;
  std::vector<std::uint32_t> children_;
  std::deque<std::string> texts_;
  std::uint32_t root_ = 0;
};

/// Builds a Document from parser events in source order. Values deeper than kMaxDepth are refused.
class DocumentBuilder {
 public:
  static constexpr std::size_t kMaxDepth = 500;

  DocumentBuilder(FileId file, Span where);

  void null(std::uint32_t begin);
  void scalar(std::uint32_t begin, std::uint32_t end, std::string text, ScalarStyle style, std::size_t anchor = 0);
  void alias(std::uint32_t begin, std::uint32_t end, std::size_t anchor);
  /// False when the nesting is too deep; the caller stops then.
  bool begin_container(NodeKind kind, std::uint32_t begin, std::size_t anchor = 0);
  void end_container(std::uint32_t end);

  Document finish() &&;

 private:
  struct Open {
    std::uint32_t node;
    std::vector<std::uint32_t> children;
  };
  std::uint32_t add(Document::Data data, std::size_t anchor);
  void attach(std::uint32_t node);

  Document document_;
  std::vector<Open> open_;
  std::vector<std::uint32_t> anchors_;  ///< node by anchor number
};

}  // namespace muster
