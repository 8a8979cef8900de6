#pragma once

#include <nlohmann/json_fwd.hpp>

#include "lsp/asked_place.h"

namespace muster {

/// What `muster explain` says, in short, of the findings at a place, else of the key there; null where nothing is
/// known.
nlohmann::json hover(const AskedPlace& place);

}  // namespace muster
