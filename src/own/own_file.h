#pragma once

#include <span>
#include <string_view>

#include "input/kind.h"
#include "model/fact.h"
#include "syntax/document.h"

namespace muster {

/// Reads the mappings of muster's own files: a key nobody knows is a finding of rule own-file-key with the nearest
/// name.
void report_unknown_keys(const Node& mapping, std::span<const std::string_view> known, std::string_view what,
                         std::vector<Finding>& findings);

/// Reads each fact of the table below `node`. What is missing is Absent; a wrong type, a number out of bounds or a word
/// that is none of those allowed is a finding and Unknown.
std::vector<Located<FactValue>> read_facts(const Node& node, std::span<const FactDef> facts,
                                           std::vector<Finding>& findings);

/// Reports the keys below `node` that neither a fact nor `others` (dotted as facts are) makes known; `what` is the
/// thing described, such as "a workload".
void report_unknown_fact_keys(const Node& node, std::span<const FactDef> facts,
                              std::span<const std::string_view> others, std::string_view what,
                              std::vector<Finding>& findings);

/// Name and place of a workload or fleet of one of muster's own files.
Object own_object(std::string_view kind, const Node& name, const NormaliseContext& context);

}  // namespace muster
