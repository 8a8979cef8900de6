#pragma once

#include <deque>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// Parses a whole JSON text into the same tree as YAML. What is not JSON is a finding of rule json-syntax, a key given
/// twice one of duplicate-key. Never throws.
bool read_json(FileId file, std::string_view text, Document& out, std::vector<Finding>& findings);

/// The same for a stretch of a file in which several texts may follow each other, as kubectl reads them: objects and
/// lists, blanks between them or not. False at the first that is broken; what was read before it stays in `out`, and of
/// itself what stands before the place.
bool read_json_documents(std::string_view text, Span where, std::deque<Document>& out, std::vector<Finding>& findings);

}  // namespace muster
