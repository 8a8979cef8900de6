#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kustomize/tree.h"

namespace muster::kustomize {

struct GroupKind {
  std::string group;
  std::string version;
  std::string kind;

  static GroupKind of(std::string_view api_version, std::string_view kind);
  /// Empty parts of the selector select all.
  bool selected_by(const GroupKind& selector) const;
  friend bool operator==(const GroupKind&, const GroupKind&) = default;
};

/// What an object goes by.
struct Id {
  GroupKind type;
  std::string name;
  std::string space;

  /// Of those kinds alone that are built in and known not to be in a namespace.
  bool is_cluster_wide() const;
  std::string_view effective_space() const;
  bool equals(const Id& other) const;
  std::string text() const;
};

/// An object on its way through kustomizations.
struct Resource {
  enum class Behavior { Create, Merge, Replace };

  Tree object;           ///< null once a patch has deleted it
  std::vector<Id> past;  ///< what it was called before, the first name first
  std::vector<std::string> prefixes;
  std::vector<std::string> suffixes;
  Behavior behavior = Behavior::Create;
  bool needs_hash = false;

  Id id() const;
  Id first_id() const { return past.empty() ? id() : past.front(); }
  void remember_id() { past.push_back(id()); }
  bool is_called(const Id& id) const;  ///< now or before
  std::string_view name() const { return text_at(object, "metadata", "name"); }
  std::string_view space() const { return text_at(object, "metadata", "namespace"); }
  void set_metadata(std::string_view key, std::string_view text, const Span& where);
};

/// The objects in a text's document: itself, or the items of a List. False when one is none.
bool add_objects(Tree document, Work& work, std::vector<Resource>& out);

}  // namespace muster::kustomize
