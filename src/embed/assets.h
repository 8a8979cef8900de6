#pragma once

#include <span>
#include <string_view>

namespace muster {

/// A file of rules/, schemas/, styles/ or templates/, compiled in.
struct Asset {
  std::string_view path;  ///< from the repository's root: rules/gang/gang-min-below-size.yaml
  std::string_view text;
  std::string_view marks;  ///< of a rule: its lines `for:`, `check:` and `suppressible:`, with a `;` between them
};

/// All of them, sorted by path.
std::span<const Asset> all_assets();

/// The assets below a folder such as `rules/decide/`.
std::span<const Asset> assets_below(std::string_view folder);

/// The asset of that path; nullptr where there is none.
const Asset* find_asset(std::string_view path);

}  // namespace muster
