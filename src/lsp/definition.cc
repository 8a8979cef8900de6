#include "lsp/definition.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "lsp/json_value.h"

namespace muster {

nlohmann::json definition(const AskedPlace& place) {
  nlohmann::json out = nlohmann::json::array();
  for (const PlacedFinding* finding : place.found()) {
    for (const PlacedText& related : finding->related) {
      nlohmann::json one = place_json(place.uri_of(related.path), related.where);
      if (std::ranges::find(out, one) == out.end()) out.push_back(std::move(one));
    }
  }
  return out.empty() ? nlohmann::json() : out;
}

}  // namespace muster
