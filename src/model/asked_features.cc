#include "model/asked_features.h"

#include <algorithm>

#include "base/strings.h"
#include "model/site_nodes.h"

namespace muster {

std::optional<AskedFeatures> read_features(std::string_view text) {
  AskedFeatures out;
  out.any = contains(text, "|");
  if (out.any && contains(text, "&")) return std::nullopt;
  if (text.empty() || text.find_first_of("[](){}*,!$%<> ") != text.npos) return std::nullopt;
  for (const std::string_view name : split(text, out.any ? '|' : '&')) {
    if (name.empty()) return std::nullopt;
    out.names.emplace_back(name);
  }
  return out;
}

bool has_features(const SiteNodes& nodes, const AskedFeatures& wanted) {
  const auto has = [&](const std::string& name) {
    return std::ranges::find(nodes.features, name) != nodes.features.end();
  };
  return wanted.any ? std::ranges::any_of(wanted.names, has) : std::ranges::all_of(wanted.names, has);
}

}  // namespace muster
