#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/strings.h"
#include "model/object.h"

namespace muster {

enum class NameScope { Cluster, Namespace };

/// What a reference by name leads to.
struct NameMatch {
  std::optional<std::size_t> index;
  bool ambiguous = false;
  std::optional<std::string> near_miss;  ///< of the same file
  std::optional<std::string> elsewhere;  ///< another namespace of the bundle that has one of this name
};

/// Objects of one kind by name. Names meet within a bundle, and where the scope says so within a namespace; one that is
/// not written is whatever the client says and may be the same. The nearest file wins. The objects stay where they are.
class NameIndex {
 public:
  void add(const std::string& name, const Object& object, std::size_t index);
  /// `near_misses` bounds the search for what was meant over all references of an input.
  NameMatch find(const std::string& name, const Object& from, NameScope scope, NearMisses& near_misses) const;

 private:
  /// Objects of one name, bundle and namespace.
  struct Group {
    struct Some {
      std::size_t first = 0;
      std::size_t count = 0;
    };
    std::map<std::string, Some, std::less<>> by_file;
    std::map<std::string, Some, std::less<>> by_folder;
  };
  struct Best;
  using Spaces = std::map<std::string, Group, std::less<>>;

  void weigh(const Group& group, const std::string& file, Best& best) const;
  std::optional<std::string> near_miss(const std::string& name, const std::string& file, NearMisses& near_misses) const;

  std::map<std::pair<std::string, std::string>, Spaces> groups_;  ///< by name and bundle
  std::map<std::string, std::set<std::string>, std::less<>> names_of_file_;
  mutable std::map<std::string, std::vector<std::string_view>, std::less<>>
      candidates_;  ///< the same, as they are asked for
  mutable std::map<std::tuple<std::string, std::string, std::string, std::string, NameScope>, NameMatch> found_;
};

}  // namespace muster
