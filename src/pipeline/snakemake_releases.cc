#include "pipeline/snakemake_releases.h"

#include <algorithm>

#include "base/strings.h"
#include "pipeline/input_names.h"

namespace muster {
namespace {

constexpr std::int64_t kPlugins = 8;  // the release with which what submits jobs became plugins

/// One of `>=8.4`, `==7.32.4`, `= ">=8`, `:v7`, at the beginning of a text; false: it is none.
bool take_bound(std::string_view text, SnakemakePin& pin) {
  const std::size_t number = std::min(text.find_first_of("0123456789"), text.size());
  const std::string_view sign = text.substr(0, number);
  const std::string_view behind = text.substr(number);
  const std::optional<std::int64_t> release =
      parse_int(behind.substr(0, std::min(behind.find_first_not_of("0123456789"), behind.size())));
  if (!release || sign.find_first_not_of("=<>~^: \"'v") != sign.npos || sign.find_first_of("=<>~^:") == sign.npos)
    return false;
  const std::string_view minor = behind.substr(std::min(behind.find_first_not_of("0123456789"), behind.size()));
  const bool whole = !minor.starts_with('.') || minor.starts_with(".0");
  if (contains(sign, "<")) {
    pin.older = pin.older || *release < kPlugins || (*release == kPlugins && whole && !contains(sign, "<="));
  } else {
    pin.at_least = std::max(pin.at_least, *release);
    pin.older = pin.older || (!contains(sign, ">") && *release < kPlugins);
  }
  return true;
}

}  // namespace

std::optional<SnakemakePin> snakemake_pin(std::string_view line) {
  constexpr std::string_view kName = "snakemake";
  if (trim(line).starts_with('#')) return std::nullopt;
  for (std::size_t at = line.find(kName); at != line.npos; at = line.find(kName, at + kName.size())) {
    if (at > 0 && (is_word_char(line[at - 1]) || line[at - 1] == '-')) continue;
    std::string_view behind = line.substr(at + kName.size());
    for (const std::string_view more : {"-minimal", "/snakemake"}) {
      if (behind.starts_with(more)) behind.remove_prefix(more.size());
    }
    SnakemakePin pin;
    bool found = false;
    for (const std::string_view bound : split(behind, ',')) {
      if (!take_bound(bound, pin)) break;
      found = true;
    }
    if (found) return pin;
  }
  return std::nullopt;
}

std::int64_t least_snakemake(std::string_view text) {
  std::int64_t out = 0;
  some_line_with(text, "min_version(", [&](std::string_view line) {
    if (trim(line).starts_with('#')) return false;
    std::string_view behind = trim(line.substr(line.find('(') + 1));
    if (behind.empty() || (behind.front() != '"' && behind.front() != '\'')) return false;
    behind.remove_prefix(1);
    const std::size_t end = std::min(behind.find_first_not_of("0123456789"), behind.size());
    out = parse_int(behind.substr(0, end)).value_or(0);
    return out > 0;
  });
  return out;
}

}  // namespace muster
