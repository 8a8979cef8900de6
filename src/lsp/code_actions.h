#pragma once

#include <nlohmann/json_fwd.hpp>

#include "lsp/asked_place.h"

namespace muster {

/// What does away with the findings in a range: their fixes, and the comment that allows them there. `params`: those of
/// textDocument/codeAction, for the diagnostics that the editor has. Nothing where the file was changed since the
/// check.
nlohmann::json code_actions(const AskedPlace& place, const TextRange& range, const nlohmann::json& params);

}  // namespace muster
