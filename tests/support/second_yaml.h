#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace muster::test {

/// What a YAML reader makes of one document: a line for each value in the order of the text, keys and values of a
/// mapping in turn and duplicates kept, with the byte at which a scalar begins where both readers know it. `error` is
/// empty when there is none.
struct YamlTree {
  std::string text;
  std::string error;
};

/// The document as muster's reader, which is libyaml's, takes it.
YamlTree first_reading(std::string_view document);
/// The same by yaml-cpp's events.
YamlTree second_reading(std::string_view document);

}  // namespace muster::test
