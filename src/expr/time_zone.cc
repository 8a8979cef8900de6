#include "expr/time_zone.h"

#include "base/strings.h"

namespace muster {
namespace {

/// [+-]HH:MM.
std::optional<std::int64_t> fixed_offset(std::string_view text) {
  const bool west = text.starts_with('-');
  if (west || text.starts_with('+')) text.remove_prefix(1);
  const std::size_t colon = text.find(':');
  if (colon == 0 || colon > 2 || text.size() != colon + 3) return std::nullopt;
  for (const char c : text) {
    if (c != ':' && (c < '0' || c > '9')) return std::nullopt;
  }
  const std::optional<std::int64_t> hours = parse_int(text.substr(0, colon));
  const std::optional<std::int64_t> minutes = parse_int(text.substr(colon + 1));
  if (!hours || !minutes || *hours > 23 || *minutes > 59) return std::nullopt;
  return (west ? -1 : 1) * (*hours * 3600 + *minutes * 60);
}

}  // namespace

std::optional<std::int64_t> zone_offset(std::string_view zone, std::int64_t /*at*/) {
  if (zone == "UTC" || zone.empty()) return 0;
  return fixed_offset(zone);
}

}  // namespace muster
