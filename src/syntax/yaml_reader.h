#pragma once

#include <deque>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// The stretches of a YAML stream that hold one document each: split at `---` in column 0 (followed by a blank or the
/// line's end), ended by `...`; `%` directives belong to the document behind them. Documents without content are left
/// out.
std::vector<Span> split_yaml_documents(FileId file, std::string_view text);

/// Parses one document, the usual ones without libyaml (usual_yaml.h). What the parser rejects is a finding of rule
/// yaml-syntax, a key given twice one of duplicate-key; `out` then holds what stands before that place. Never throws.
bool read_yaml(std::string_view text, Span where, Document& out, std::vector<Finding>& findings);

/// The same with libyaml in any case and without a look for keys that are given twice: what the usual reader is held
/// against.
bool read_with_libyaml(std::string_view text, Span where, Document& out, std::vector<Finding>& findings);

}  // namespace muster
