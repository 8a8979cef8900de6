#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "source/source_map.h"
#include "syntax/document.h"

namespace muster::kustomize {

/// What one rendering may cost, and why it came to nothing.
struct Work {
  std::size_t left = 20'000'000;  ///< steps: values copied, keys compared
  std::string trouble;            ///< the first one
  std::string lacking;            ///< the file or folder that is not there, if that is the trouble
  Span lacking_where;             ///< what names it
  std::map<Span, bool> targets;   ///< of patches, by the name that they give: whether an object has it
  std::set<Span> lost_images;     ///< containers of patches that take the place of whole ones, without their image

  bool fail(std::string why);
  /// False when nothing is left; `trouble` says so then.
  bool spend(std::size_t steps);
};

struct Member;

/// A value of an object while it is built: what a Node says, but open to change. Each value knows where it was
/// written, which may be any file.
struct Tree {
  NodeKind kind = NodeKind::Null;
  ScalarStyle style = ScalarStyle::Plain;
  Span where;
  std::string text;  ///< of a scalar; of a null its word, or "" where nothing is written
  std::vector<Tree> items;
  std::vector<Member> members;  ///< without duplicates

  bool is_mapping() const { return kind == NodeKind::Mapping; }
  bool is_sequence() const { return kind == NodeKind::Sequence; }
  bool is_scalar() const { return kind == NodeKind::Scalar; }
  bool is_null() const { return kind == NodeKind::Null; }
  /// A scalar that YAML 1.1 makes no number and no boolean of.
  bool is_text() const;
  /// A plain scalar that YAML 1.1 makes a boolean of, and YAML 1.2 does not.
  bool is_old_boolean() const;
  const Tree* find(std::string_view key) const;
  Tree* find(std::string_view key);
  /// The value of a key of a mapping; a null one is added where there is none. What is no mapping becomes one.
  Tree& at(std::string_view key, const Span& where);
  void erase(std::string_view key);
};

struct Member {
  std::string key;
  Span where;
  Tree value;
};

Tree text_of(std::string text, const Span& where, ScalarStyle style = ScalarStyle::Plain);
Tree empty_mapping(const Span& where);

/// A field of what kustomize reads for itself, whatever the case of its letters: `fieldpath`.
/// Source: golang.org/pkg/encoding/json, Unmarshal.
const Tree* field_of(const Tree& tree, std::string_view name);
/// Its text, else "".
std::string_view text_of_field(const Tree& tree, std::string_view name);

/// The text of a scalar below some keys, else "".
std::string_view text_at(const Tree& tree, std::string_view first, std::string_view second = {});

/// A copy without aliases and merge keys. `all_at`: where every value of it stands, for texts whose places are lost.
/// False when it is too large.
bool copy_of(const Node& node, const SourceMap& sources, const Span* all_at, Work& work, Tree& out);

/// The document that a tree stands for; every value keeps its place. False when it is nested too deeply.
bool to_document(const Tree& tree, Document& out);

std::size_t size_of(const Tree& tree);

}  // namespace muster::kustomize
