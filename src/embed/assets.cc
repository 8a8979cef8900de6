#include "embed/assets.h"

#include <algorithm>

namespace muster {

std::span<const Asset> assets_below(std::string_view folder) {
  const std::span<const Asset> all = all_assets();
  const auto begin = std::ranges::lower_bound(all, folder, {}, &Asset::path);
  const auto end =
      std::find_if_not(begin, all.end(), [&](const Asset& asset) { return asset.path.starts_with(folder); });
  return {begin, end};
}

const Asset* find_asset(std::string_view path) {
  const std::span<const Asset> all = all_assets();
  const auto found = std::ranges::lower_bound(all, path, {}, &Asset::path);
  return found != all.end() && found->path == path ? &*found : nullptr;
}

}  // namespace muster
