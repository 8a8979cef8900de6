#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

namespace muster {

/// The fields of Kubernetes kinds by API version. Source: schemas/kubernetes.fields, whose form, also that of a type,
/// scripts/field_tables.py describes.
class FieldTable {
 public:
  struct Field {
    std::string_view name;
    std::string_view type;
    bool required = false;
    std::uint64_t begin = 0;  ///< first_letters(name)
  };
  struct Tree {
    std::span<const Field> fields;  ///< sorted by name
    bool open = false;              ///< takes other keys, too

    const Field* find(std::string_view name) const;
  };
  struct ObjectKind {
    std::string_view api_version;
    std::string_view kind;
    std::string_view type;    ///< of the whole object
    std::string_view gone;    ///< Kubernetes release that serves it no more: "1.25"; may be empty
    bool deprecated = false;  ///< its CustomResourceDefinition says so
  };

  static const FieldTable& shipped();
  /// `text` must stay where it is. Trusted: what has another form is a bug.
  explicit FieldTable(std::string_view text);

  const ObjectKind* find(std::string_view api_version, std::string_view kind) const;
  /// The API versions in which a group has a kind.
  std::vector<std::string_view> versions_of(std::string_view group, std::string_view kind) const;
  /// Whether some group has a kind of that name, and whether there are kinds of that API version.
  bool has_kind(std::string_view kind) const;
  bool has_version(std::string_view api_version) const;
  /// The first release that serves some kind of an API version no more; empty: none.
  std::string_view gone(std::string_view api_version) const;
  /// Whether a kind of that name is in an API version that is not gone.
  bool is_served(std::string_view kind) const;
  /// The tree of a type that is one, else nullptr.
  const Tree* tree(std::string_view type) const;
  /// The words of a type `e7`.
  std::span<const std::string_view> words(std::string_view type) const;

 private:
  /// Read when it is first asked for: few inputs have many kinds.
  struct LazyTree {
    explicit LazyTree(std::string_view text) : line(text) {}
    std::string_view line;
    std::atomic<const Tree*> read = nullptr;
    std::vector<Field> fields;
    Tree tree;
  };
  const Tree* read_tree(LazyTree& lazy) const;

  std::vector<ObjectKind> kinds_;  ///< sorted by API version and kind
  std::vector<std::vector<std::string_view>> words_;
  mutable std::deque<LazyTree> trees_;
  mutable std::mutex reading_;
};

}  // namespace muster
