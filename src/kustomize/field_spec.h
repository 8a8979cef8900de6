#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "kustomize/resource.h"

namespace muster::kustomize {

/// A field that a transformer changes, in objects of some type. `a/b[]/c`: `b` is a list; a list on the way is gone
/// through item by item in any case. `\/` is a slash within a key.
struct FieldSpec {
  GroupKind type;
  std::string path;
  bool create = false;
};

/// A field with the name of an object of some type.
struct NameReference {
  GroupKind target;
  FieldSpec field;
};

/// Which fields transformers change: what kustomize brings, and what `configurations` add.
struct FieldConfig {
  std::vector<FieldSpec> name_prefix;
  std::vector<FieldSpec> name_suffix;
  std::vector<FieldSpec> name_space;
  std::vector<FieldSpec> common_labels;
  std::vector<FieldSpec> template_labels;
  std::vector<FieldSpec> labels;
  std::vector<FieldSpec> common_annotations;
  std::vector<FieldSpec> images;
  std::vector<FieldSpec> replicas;
  std::vector<NameReference> references;

  static const FieldConfig& shipped();
  void merge(const FieldConfig& other);
  /// A file of `configurations`. False where it cannot be read.
  bool add_file(const Tree& root, Work& work);
};

using ChangeField = std::function<bool(Tree&)>;

/// Calls `change` with each field that the spec speaks of; one that is not there is made where the spec says so and
/// `made` is not Null. False where a way leads through a text.
bool each_field(Tree& object, const FieldSpec& spec, NodeKind made, Work& work, const ChangeField& change);

}  // namespace muster::kustomize
