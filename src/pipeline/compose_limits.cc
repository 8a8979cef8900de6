#include "pipeline/compose_limits.h"

#include <string>

#include "base/strings.h"
#include "pipeline/compose_parts.h"

namespace muster {
namespace {

/// `4`, `"0.5"`.
std::optional<double> cpus_in(std::string_view text) {
  const std::size_t dot = text.find('.');
  const std::optional<std::int64_t> whole = parse_int(text.substr(0, dot));
  if (!whole || *whole < 0 || *whole > 10'000) return std::nullopt;
  double out = static_cast<double>(*whole);
  double digit = 0.1;
  for (std::size_t i = dot == text.npos ? text.size() : dot + 1; i < text.size(); ++i, digit /= 10) {
    if (!is_digit(text[i])) return std::nullopt;
    out += digit * (text[i] - '0');
  }
  return out > 0 ? std::optional(out) : std::nullopt;
}

/// `4g`, `512M`, `2gb`; numbers alone are bytes. Source:
/// docs.docker.com/reference/compose-file/extension/#specifying-byte-values
std::optional<std::int64_t> megabytes_in(std::string_view value) {
  const std::string text = to_lower(value);
  const std::size_t end = text.find_first_not_of("0123456789");
  const std::optional<std::int64_t> number = parse_int(std::string_view(text).substr(0, end));
  if (!number || *number <= 0 || *number > 1'000'000'000'000'000) return std::nullopt;
  const std::string_view unit = end == text.npos ? "b" : std::string_view(text).substr(end);
  if (unit == "g" || unit == "gb") return *number < 1'000'000 ? std::optional(*number * 1024) : std::nullopt;
  if (unit == "m" || unit == "mb") return *number;
  if (unit == "k" || unit == "kb") return *number / 1024;
  return unit == "b" ? std::optional(*number / (1024 * 1024)) : std::nullopt;
}

}  // namespace

ContainerLimits container_limits(const WrittenValue& service) {
  const WrittenValue* limits = part_of(service, "deploy");
  for (const char* key : {"resources", "limits"}) limits = is_map(limits) ? limits->find(key) : nullptr;
  const auto written = [&](std::string_view own, std::string_view of_deploy) -> std::string_view {
    const WrittenValue* at = part_of(service, own);
    if (at == nullptr && is_map(limits)) at = limits->find(of_deploy);
    return at != nullptr && at->state == State::Set ? at->text() : std::string_view();
  };
  return {cpus_in(written("cpus", "cpus")), megabytes_in(written("mem_limit", "memory"))};
}

}  // namespace muster
