#include "expr/time_zone.h"

#include <algorithm>
#include <charconv>

#include "base/strings.h"

namespace muster {
namespace {

struct Zone {
  std::string_view name;
  int history;
};
// Compiled in, so that an expression means the same on every machine.
#include "expr/time_zones.inc"
static_assert(std::ranges::is_sorted(kZones, {}, &Zone::name));

constexpr std::int64_t kFirst = 946'684'800;   // 2000-01-01T00:00:00Z: where the histories begin
constexpr std::int64_t kLast = 2'145'916'800;  // 2038-01-01T00:00:00Z: where they end

/// [+-]HH:MM.
std::optional<std::int64_t> fixed_offset(std::string_view text) {
  const bool west = text.starts_with('-');
  if (west || text.starts_with('+')) text.remove_prefix(1);
  const std::size_t colon = text.find(':');
  if (colon == text.npos || colon == 0 || colon > 2 || text.size() != colon + 3) return std::nullopt;
  for (const char c : text) {
    if (c != ':' && (c < '0' || c > '9')) return std::nullopt;
  }
  const std::optional<std::int64_t> hours = parse_int(text.substr(0, colon));
  const std::optional<std::int64_t> minutes = parse_int(text.substr(colon + 1));
  if (!hours || !minutes || *hours > 23 || *minutes > 59) return std::nullopt;
  return (west ? -1 : 1) * (*hours * 3600 + *minutes * 60);
}

/// The offset at a time, of a history such as `60 4jac:120 6p5o:60`: minutes, then minutes to the next change : offset.
std::int64_t offset_in(std::string_view history, std::int64_t at) {
  const char* end = history.data() + history.size();
  int offset = 0;
  const char* next = std::from_chars(history.data(), end, offset).ptr;
  for (std::int64_t change = kFirst; next != end;) {
    std::int64_t minutes = 0;
    int after = 0;
    next = std::from_chars(next + 1, end, minutes, 36).ptr;
    next = std::from_chars(next + 1, end, after).ptr;
    change += minutes * 60;
    if (at < change) break;
    offset = after;
  }
  return std::int64_t{offset} * 60;
}

}  // namespace

std::optional<std::int64_t> zone_offset(std::string_view zone, std::int64_t at) {
  if (zone == "UTC" || zone.empty()) return 0;
  if (const std::optional<std::int64_t> fixed = fixed_offset(zone)) return fixed;
  const auto found = std::ranges::lower_bound(kZones, zone, {}, &Zone::name);
  if (found == std::end(kZones) || found->name != zone || at < kFirst || at >= kLast) return std::nullopt;
  return offset_in(kZoneHistories[found->history], at);
}

}  // namespace muster
