#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace muster {

/// Seconds east of Greenwich that a zone's clocks showed at a time (seconds since 1970): `UTC`, a fixed offset such as
/// `-02:30` or `02:00`, or a name of the IANA time zone database from 2000 to 2037. Nothing for what is no such zone or
/// outside these years.
std::optional<std::int64_t> zone_offset(std::string_view zone, std::int64_t at);

}  // namespace muster
