#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/vocabulary.h"

namespace muster {

/// What a JSON Schema says of the keys and values below a path in which lists have the name `-`.
struct SchemaWords {
  std::vector<Word> keys;
  std::vector<Word> values;
};
/// `text`: the schema, one of ours.
SchemaWords schema_words(std::string_view text, std::span<const std::string> path);

}  // namespace muster
