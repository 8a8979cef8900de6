#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// A document that is a text in another one, as ConfigMaps hold them.
struct Embedded {
  Document document;
  bool readable = false;
  bool clean = false;     ///< and without a finding
  bool in_place = false;  ///< its values know where they stand in the file; else nothing in it does

  /// Where a value of it stands: the text as a whole, where it cannot be said better.
  Span where(const Span& value) const { return in_place ? value : outer; }
  Span outer;
};

/// A document that is a text in another one, each value of which stands where the whole text does; nothing where it
/// cannot be read, has a key that is no text, or is larger than 64 KiB or 20,000 values. With `twice`, a key that is
/// given twice is said there, at the text, and the last counts; without, such a text cannot be read.
std::optional<Document> read_text_document(const Node& text, std::vector<Finding>* twice);

/// `source`: the text of the file that `text` is in.
Embedded read_embedded(const Node& text, std::string_view source);

}  // namespace muster
