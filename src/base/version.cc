#include "base/version.h"

#include <algorithm>

#include "base/strings.h"

namespace muster {

std::optional<Version> Version::parse(std::string_view text) {
  text = trim(text);
  if (text.starts_with('v') || text.starts_with('V')) text.remove_prefix(1);
  text = text.substr(0, text.find_first_of("-+~"));
  Version version;
  for (const std::string_view piece : split(text, '.')) {
    const bool digits = !piece.empty() && piece.size() <= 9 && piece.find_first_not_of("0123456789") == piece.npos;
    if (!digits || version.parts_.size() == 4) return std::nullopt;
    version.parts_.push_back(*parse_int(piece));
  }
  version.text_ = text;
  return version;
}

std::strong_ordering operator<=>(const Version& a, const Version& b) {
  const std::size_t count = std::max(a.parts_.size(), b.parts_.size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t left = i < a.parts_.size() ? a.parts_[i] : 0;
    const std::int64_t right = i < b.parts_.size() ? b.parts_[i] : 0;
    if (left != right) return left <=> right;
  }
  return std::strong_ordering::equal;
}

}  // namespace muster
