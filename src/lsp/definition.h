#pragma once

#include <nlohmann/json_fwd.hpp>

#include "lsp/asked_place.h"

namespace muster {

/// Locations of the other halves of what the findings at a place are about; null where there is none.
nlohmann::json definition(const AskedPlace& place);

}  // namespace muster
