#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace muster::helm {

/// 1.34.0, v1.34, 1.2.3-rc.1+build.
struct SemanticVersion {
  std::array<std::int64_t, 3> numbers{};
  std::string prerelease;
  std::string metadata;

  static std::optional<SemanticVersion> parse(std::string_view text);
  std::string text() const;
};

/// Whether a version fits a constraint as Masterminds/semver 3.3 says: `>=1.19-0 <2 || ^0.3`, `1.x`, `~1.2`, `1.2
/// - 1.4`. Nothing where one of the two cannot be read.
std::optional<bool> version_fits(std::string_view constraint, std::string_view version);

}  // namespace muster::helm
