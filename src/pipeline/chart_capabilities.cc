#include "pipeline/chart_capabilities.h"

#include <algorithm>
#include <optional>

#include "base/strings.h"
#include "base/version.h"
#include "gang/manifest.h"
#include "kubernetes/api_versions.h"
#include "kubernetes/field_table.h"

namespace muster {
namespace {

constexpr std::string_view kAsks = "APIVersions.Has";

bool is_gone(std::string_view since, const std::optional<Version>& release) {
  if (since.empty()) return false;
  const std::optional<Version> gone = Version::parse(since);
  return !release || (gone && *release >= *gone);
}

bool is_stable(std::string_view version) { return !contains(version, "alpha") && !contains(version, "beta"); }

/// GROUP/VERSION or v1, and the kind behind it.
std::pair<std::string_view, std::string_view> parts_of(std::string_view asked) {
  const std::size_t bar = asked.rfind('/');
  if (bar == asked.npos || bar + 1 == asked.size()) return {asked, {}};
  const char first = asked[bar + 1];
  if (first < 'A' || first > 'Z') return {asked, {}};
  return {asked.substr(0, bar), asked.substr(bar + 1)};
}

}  // namespace

AskedVersions asked_versions(std::string_view text, std::string_view kubernetes) {
  AskedVersions out;
  const std::optional<Version> release = Version::parse(kubernetes);
  const FieldTable& table = FieldTable::shipped();
  for (std::size_t at = text.find(kAsks); at != text.npos; at = text.find(kAsks, at)) {
    at += kAsks.size();
    const std::size_t quote = text.find_first_not_of(" \t(", at);
    if (quote == text.npos || (text[quote] != '"' && text[quote] != '`')) continue;
    const std::size_t end = text.find_first_of(std::string{text[quote], '\n'}, quote + 1);
    if (end == text.npos || text[end] == '\n' || end == quote + 1) continue;
    const std::string_view asked = text.substr(quote + 1, end - quote - 1);
    const auto [version, kind] = parts_of(asked);
    if (!kind.empty()) {
      const FieldTable::ObjectKind* found = table.find(version, kind);
      const bool served = found != nullptr && found->gone.empty() && is_stable(version);
      if (served && is_built_in_group(api_group(version))) out.served.emplace_back(asked);
    } else if (is_gone(table.gone(version), release)) {
      if (out.text.empty()) out.text = text;
      out.text[quote + 1] = '-';  // of no group; the places of the text stay
    }
  }
  std::ranges::sort(out.served);
  out.served.erase(std::unique(out.served.begin(), out.served.end()), out.served.end());
  return out;
}

bool is_served(std::string_view asked, std::string_view kubernetes) {
  const FieldTable& table = FieldTable::shipped();
  const auto [version, kind] = parts_of(asked);
  if (!is_built_in_group(api_group(version)) || !table.has_version(version)) return false;
  if (!kind.empty()) {
    const FieldTable::ObjectKind* found = table.find(version, kind);
    return found != nullptr && found->gone.empty() && is_stable(version);
  }
  const std::string_view gone = table.gone(version);
  return gone.empty() ? is_stable(version) : !is_gone(gone, Version::parse(kubernetes));
}

}  // namespace muster
