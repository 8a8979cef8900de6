#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace muster {

/// A dotted release number such as 25.11 or 1.37.2. Missing parts count as zero: 1.37 == 1.37.0.
/// Parts behind a `-` or `+` (pre-release, build, distribution) are dropped: they never decide a rule.
class Version {
 public:
  Version() = default;
  /// Accepts 25.11, v1.37.2, 26.05.5-1, slurm-26-05-3-1 style is not accepted.
  static std::optional<Version> parse(std::string_view text);

  const std::vector<std::int64_t>& parts() const { return parts_; }
  /// As written, without a leading v and without the dropped tail; keeps leading zeros (25.05).
  const std::string& text() const { return text_; }

  /// 19.05 and not 19.05.5: nobody says which of several it is.
  bool is_rough() const { return parts_.size() < 3; }

  friend std::strong_ordering operator<=>(const Version& a, const Version& b);
  friend bool operator==(const Version& a, const Version& b) { return (a <=> b) == 0; }

 private:
  std::vector<std::int64_t> parts_;
  std::string text_;
};

}  // namespace muster
