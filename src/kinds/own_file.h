#pragma once

#include <span>
#include <string_view>

#include "kinds/kind.h"
#include "syntax/document.h"

namespace muster {

/// Reads the mappings of muster's own files: a key nobody knows is a finding of rule own-file-key with the nearest name.
void report_unknown_keys(const Node& mapping, std::span<const std::string_view> known, std::string_view what,
                         std::vector<Finding>& findings);

/// Name and place of a workload or fleet of one of muster's own files.
Object own_object(std::string_view kind, const Node& name, const NormaliseContext& context);

}  // namespace muster
