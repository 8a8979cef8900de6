#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "source/span.h"

namespace muster {

enum class NodeKind : unsigned char { Null, Scalar, Sequence, Mapping, Alias };
enum class ScalarStyle : unsigned char { Plain, Quoted };

class Document;

/// A value of a YAML or JSON document: a light handle that is never null. Asking a missing key gives a node that does
/// not exist but still knows the nearest enclosing place, so that `doc["spec"]["queue"].where()` always points
/// somewhere. Aliases are followed, never expanded; read_yaml refuses documents in which that would not end, or not
/// soon.
class Node {
 public:
  Node() = default;

  bool exists() const { return exists_; }
  explicit operator bool() const { return exists_; }
  NodeKind kind() const;
  [[gnu::always_inline]] bool is_mapping() const { return is(NodeKind::Mapping); }
  [[gnu::always_inline]] bool is_sequence() const { return is(NodeKind::Sequence); }
  [[gnu::always_inline]] bool is_scalar() const { return is(NodeKind::Scalar); }
  [[gnu::always_inline]] bool is_null() const { return is(NodeKind::Null); }
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
  Node operator[](std::string_view name) const;

 private:
  friend class Document;
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  Node(const Document* document, std::uint32_t index, std::uint32_t key = kNone);
  Node missing() const;
  bool is(NodeKind kind) const;
  std::uint32_t child(std::size_t i) const;
  Node find(std::string_view name, int depth) const;
  Node find_merged(std::string_view name, int depth) const;
  Span key_place() const;

  const Document* document_ = nullptr;
  std::uint32_t index_ = 0;    ///< of the node, or of the nearest enclosing one when it does not exist
  std::uint32_t key_ = kNone;  ///< what it stands under: of the nearest enclosing one when it does not exist
  bool exists_ = false;
};

/// One parsed document. Built by DocumentBuilder; immutable afterwards.
class Document {
 public:
  Node root() const;
  /// Every mapping of which two keys may be the same, once, in the order they begin, however often aliases repeat it.
  std::vector<Node> mappings_with_like_keys() const;
  /// Every mapping once, in the order they begin.
  std::vector<Node> mappings() const { return all_of(NodeKind::Mapping); }
  /// Every scalar once, keys included.
  std::vector<Node> scalars() const { return all_of(NodeKind::Scalar); }
  /// The file it was read from; values of one that was rendered may stand in others.
  FileId file() const { return file_; }
  /// The stretch of the file this document takes.
  Span where() const { return where_; }

 private:
  friend class Node;
  friend class DocumentBuilder;

  struct Data {
    NodeKind kind = NodeKind::Null;
    ScalarStyle style = ScalarStyle::Plain;
    bool merges = false;     ///< a mapping of which a key is an alias or `<<`
    bool like_keys = false;  ///< a mapping with a key twice, or with too many to tell at once
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint32_t first = 0;  ///< first child in children_; target node for an alias; of a scalar what tells it apart
    std::uint32_t count = 0;  ///< items, or keys plus values
    FileId file = FileId::None;
    union {
      std::string_view text = {};  ///< in texts_
      std::uint64_t keys;          ///< of a mapping that is closed: a bit for what tells each of its keys apart
    };

    /// Of a scalar, in `first`: what differs between most texts.
    static constexpr std::uint32_t tag_of(std::string_view text) {
      if (text.empty()) return 0;
      return static_cast<std::uint32_t>(text.size() & 0xFFFF) |
             static_cast<std::uint32_t>(static_cast<unsigned char>(text.front())) << 16 |
             static_cast<std::uint32_t>(static_cast<unsigned char>(text.back())) << 24;
    }
    /// Of a mapping, in `keys`. Most keys that are asked for are not there, and one look says so.
    static constexpr std::uint64_t bit_of(std::uint32_t tag) { return std::uint64_t{1} << (tag * 0x9E3779B1U >> 26); }

    std::string_view written() const { return kind == NodeKind::Mapping ? std::string_view{} : text; }
  };

  std::vector<Node> all_of(NodeKind kind) const;
  /// What the alias stands for, itself where that is nothing.
  std::uint32_t behind_alias(std::uint32_t index) const;

  FileId file_ = FileId::None;
  Span where_;
  std::vector<Data> nodes_;
  std::vector<std::uint32_t> children_;
  std::vector<std::unique_ptr<char[]>> texts_;
  std::uint32_t root_ = 0;
};

// Every reader of manifests asks these of every value.
[[gnu::always_inline]] inline Node::Node(const Document* document, std::uint32_t index, std::uint32_t key)
    : document_(document), index_(index), key_(key), exists_(true) {
  if (document->nodes_[index].kind == NodeKind::Alias) index_ = document->behind_alias(index);
}

[[gnu::always_inline]] inline bool Node::is(NodeKind kind) const {
  return exists_ && document_->nodes_[index_].kind == kind;
}

// What tells a literal apart the compiler knows.
[[gnu::always_inline]] inline Node Node::operator[](std::string_view name) const {
  if (is_mapping()) {
    const Document::Data& data = document_->nodes_[index_];
    if (data.merges || (data.keys & Document::Data::bit_of(Document::Data::tag_of(name))) != 0) return find(name, 0);
  }
  return missing();
}

[[gnu::always_inline]] inline Node Node::missing() const {
  Node out = *this;
  out.exists_ = false;
  return out;
}

[[gnu::always_inline]] inline std::uint32_t Node::child(std::size_t i) const {
  return document_->children_[document_->nodes_[index_].first + i];
}

[[gnu::always_inline]] inline Node Node::item(std::size_t i) const {
  MUSTER_CHECK(is_sequence() && i < size(), "item out of range");
  return {document_, child(i)};
}

[[gnu::always_inline]] inline Node Node::key(std::size_t i) const {
  MUSTER_CHECK(is_mapping() && i < size(), "member out of range");
  return {document_, child(2 * i)};
}

[[gnu::always_inline]] inline Node Node::value(std::size_t i) const {
  MUSTER_CHECK(is_mapping() && i < size(), "member out of range");
  return {document_, child(2 * i + 1), child(2 * i)};
}

[[gnu::always_inline]] inline std::string_view Node::text() const {
  return is_scalar() ? document_->nodes_[index_].text : std::string_view{};
}

[[gnu::always_inline]] inline std::size_t Node::size() const {
  if (is_sequence()) return document_->nodes_[index_].count;
  return is_mapping() ? document_->nodes_[index_].count / 2 : 0;
}

/// Builds a Document from parser events in source order. Values deeper than kMaxDepth are refused.
class DocumentBuilder {
 public:
  static constexpr std::size_t kMaxDepth = 500;
  /// Values of one document; each takes about a hundred bytes of memory.
  static constexpr std::size_t kMaxValues = 2'000'000;

  DocumentBuilder(FileId file, Span where);

  /// Where what is added from now on is written: of a document that is made out of several files.
  void in_file(FileId file) { adding_to_ = file; }
  void null(std::uint32_t begin);
  void scalar(std::uint32_t begin, std::uint32_t end, std::string_view text, ScalarStyle style, std::size_t anchor = 0);
  /// False when the anchored value contains this alias: the caller stops then.
  bool alias(std::uint32_t begin, std::uint32_t end, std::size_t anchor);
  /// False when the nesting is too deep; the caller stops then.
  bool begin_container(NodeKind kind, std::uint32_t begin, std::size_t anchor = 0);
  void end_container(std::uint32_t end);
  /// Of a container whose values may stand elsewhere: it ends there, whatever is in it.
  void end_container_at(std::uint32_t end);

  /// Whether there are more than kMaxValues: the caller stops then.
  bool is_full() const { return document_.nodes_.size() > kMaxValues; }
  /// Whether aliases repeat so much that walks over the document would take too long.
  bool has_excessive_aliases() const;

  Document finish() &&;

 private:
  struct Open {
    std::uint32_t node;
    std::size_t anchor;
    double expanded;       ///< nodes so far if aliases were written out; a double, because bombs overflow integers
    std::size_t children;  ///< where its own begin in children_
  };
  struct Anchor {
    std::uint32_t node;
    double expanded = 1;
    bool open = false;
  };
  std::uint32_t add(const Document::Data& data, std::size_t anchor);
  void count(double nodes) { (open_.empty() ? expanded_ : open_.back().expanded) += nodes; }
  void attach(std::uint32_t node);
  std::string_view keep(std::string_view text);
  Document::Data& close_container();
  /// Of a mapping that is complete but for this.
  void judge_keys(Document::Data& mapping, std::size_t first) const;

  Document document_;
  FileId adding_to_;
  std::vector<Open> open_;
  std::vector<std::uint32_t> children_;  ///< of all open containers, the innermost last
  std::vector<Anchor> anchors_;          ///< by anchor number
  char* free_ = nullptr;                 ///< of the last piece of texts_ what is not used yet
  std::size_t left_ = 0;                 ///< bytes there
  double expanded_ = 0;
};

}  // namespace muster
