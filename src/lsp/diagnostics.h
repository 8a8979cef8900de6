#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "lsp/asked_place.h"

namespace muster {

/// A finding as a Diagnostic of the protocol. `rules_url`: where the reference of the rules is; empty: nowhere.
nlohmann::json diagnostic_json(const PlacedFinding& finding, const FolderFindings& findings,
                               const ClientAbilities& client, const std::string& rules_url,
                               const std::function<std::string(const std::string& path)>& uri_of);

}  // namespace muster
