#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// The fields of the versions that a CustomResourceDefinition serves, in the form of schemas/kubernetes.fields. What it
/// does not describe takes everything.
std::string fields_of_definition(const Node& definition);

/// Kinds that CustomResourceDefinitions of the input define: they count, whatever is known of the kind else. The nodes
/// must stay where they are.
class DefinedKinds {
 public:
  DefinedKinds();
  ~DefinedKinds();
  DefinedKinds(const DefinedKinds&) = delete;
  DefinedKinds& operator=(const DefinedKinds&) = delete;

  /// `folder`: where its file lies.
  void add(const Node& definition, std::string_view folder = {});
  /// An object of the input: several of a newer version than any that a definition serves show that the folder holds
  /// copies of an older release, or of another cluster's.
  void meet(std::string_view api_version, std::string_view kind);
  /// Forgets all definitions of such folders.
  void drop_old();
  bool defines(std::string_view api_version, std::string_view kind) const;
  /// What check_fields() says along its definition; of several along the one that it fits best.
  std::vector<Finding> check(const Node& object, std::string_view api_version, std::string_view kind);

 private:
  struct Definition;
  std::map<std::pair<std::string, std::string>, std::vector<std::unique_ptr<Definition>>> all_;  ///< by group and kind
  std::map<std::string, std::size_t> newer_;  ///< by folder: objects of newer versions
};

}  // namespace muster
