#pragma once

#include <string_view>
#include <vector>

#include "source/span.h"
#include "syntax/document.h"

namespace muster {

/// A parameter of a module, as a member of its mapping or as a word `name=value` of its line.
struct TaskParameter {
  std::string_view name;
  std::string_view value;  ///< empty: no text
  Span where;              ///< of the name
  Span value_where;
  bool plain = false;  ///< a plain scalar of YAML, which may be a number
  bool bare = false;   ///< a word of the line without `=`
};

/// Those that stand under the name of a module, or under `args`.
std::vector<TaskParameter> parameters_of(const Node& module);

}  // namespace muster
