#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace muster::helm {

/// `eq .Values.a.b 4`: a value that is compared with a whole number as it is.
struct ComparedNumber {
  std::size_t begin = 0;  ///< of the action
  std::size_t end = 0;
  std::string function;
  std::vector<std::string> value;  ///< its path below `.Values`
  std::int64_t number = 0;
};

/// Those of one template, also of what it defines; at most 100. Nothing where it cannot be read.
std::vector<ComparedNumber> compared_numbers(std::string_view text);

}  // namespace muster::helm
