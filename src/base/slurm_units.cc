#include "base/slurm_units.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "base/capped.h"
#include "base/strings.h"

namespace muster {

namespace {
constexpr std::int64_t kSlurmMiB = 1024 * 1024;
}

std::optional<std::int64_t> slurm_memory(std::string_view text) {
  std::int64_t scale = kSlurmMiB;
  if (!text.empty()) {
    const char unit = static_cast<char>(std::toupper(static_cast<unsigned char>(text.back())));
    if (unit == 'B') text.remove_suffix(1);
    const char prefix = text.empty() ? ' ' : static_cast<char>(std::toupper(static_cast<unsigned char>(text.back())));
    if (prefix == 'K') scale = 1024;
    if (prefix == 'G') scale = kSlurmMiB * 1024;
    if (prefix == 'T') scale = kSlurmMiB * kSlurmMiB;
    if (prefix == 'K' || prefix == 'M' || prefix == 'G' || prefix == 'T') text.remove_suffix(1);
  }
  const std::optional<std::int64_t> number = parse_int(text);
  if (!number || *number < 0) return std::nullopt;
  return multiply_capped(*number, scale);
}

std::optional<std::int64_t> slurm_minutes(std::string_view text) {
  std::int64_t days = 0;
  const std::size_t dash = text.find('-');
  const bool has_days = dash != text.npos;
  if (has_days) {
    const std::optional<std::int64_t> number = parse_int(text.substr(0, dash));
    if (!number) return std::nullopt;
    days = *number;
    text.remove_prefix(dash + 1);
  }
  std::vector<std::int64_t> parts;
  for (const std::string_view piece : split(text, ':')) {
    const std::optional<std::int64_t> number = parse_int(piece);
    if (!number || *number < 0) return std::nullopt;
    parts.push_back(*number);
  }
  if (parts.empty() || parts.size() > 3 || days > 100'000 ||
      std::ranges::any_of(parts, [](std::int64_t n) { return n > 100'000'000; }))
    return std::nullopt;
  std::int64_t seconds = 0;
  if (has_days) {
    constexpr std::array<std::int64_t, 3> kScale{3600, 60, 1};
    for (std::size_t i = 0; i < parts.size(); ++i) seconds += parts[i] * kScale[i];
  } else if (parts.size() == 3) {
    seconds = parts[0] * 3600 + parts[1] * 60 + parts[2];
  } else {
    seconds = parts[0] * 60 + (parts.size() == 2 ? parts[1] : 0);
  }
  return days * 1440 + (seconds + 59) / 60;
}

std::optional<std::int64_t> slurm_count(std::string_view text) {
  std::int64_t scale = 1;
  if (text.ends_with('k') || text.ends_with('K')) scale = 1024;
  if (text.ends_with('m') || text.ends_with('M')) scale = 1048576;
  if (scale > 1) text.remove_suffix(1);
  const std::optional<std::int64_t> number = parse_int(text);
  return number ? std::optional<std::int64_t>(multiply_capped(*number, scale)) : std::nullopt;
}

}  // namespace muster
