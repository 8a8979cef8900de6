#include "gang/names.h"

#include <algorithm>
#include <string_view>

namespace muster {
namespace {

std::string_view folder_with_slash(std::string_view file) { return file.substr(0, file.rfind('/') + 1); }

/// How near two folders are: the folders they share; the same one is nearer than any that differ above it.
std::size_t nearness(std::string_view a, std::string_view b) {
  std::size_t shared = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()) && a[i] == b[i]; ++i) shared += a[i] == '/' ? 1 : 0;
  return shared * 2 + (a == b ? 1 : 0);
}

constexpr std::size_t kSameFile = 1'000'000;

}  // namespace

struct NameIndex::Best {
  std::size_t near = 0;  ///< one more than the nearness of the nearest; 0: none yet
  Group::Some some;

  void consider(std::size_t nearness, const Group::Some& others) {
    if (nearness + 1 < near) return;
    if (nearness + 1 > near) some = {others.first, 0};
    near = nearness + 1;
    some.first = std::min(some.first, others.first);
    some.count += others.count;
  }
};

void NameIndex::add(const std::string& name, const Object& object, std::size_t index) {
  Group& group = groups_[{name, object.bundle}][object.space];
  const auto count = [&](std::map<std::string, Group::Some, std::less<>>& places, std::string_view place) {
    const auto [some, fresh] = places.try_emplace(std::string(place), Group::Some{index, 0});
    ++some->second.count;
  };
  count(group.by_file, object.file);
  count(group.by_folder, folder_with_slash(object.file));
  names_of_file_[object.file].insert(name);
}

void NameIndex::weigh(const Group& group, const std::string& file, Best& best) const {
  const auto same = group.by_file.find(file);
  if (same != group.by_file.end()) return best.consider(kSameFile, same->second);
  if (best.near > kSameFile) return;
  const std::string_view folder = folder_with_slash(file);
  for (const auto& [other, some] : group.by_folder) best.consider(nearness(other, folder), some);
}

NameMatch NameIndex::find(const std::string& name, const Object& from, NameScope scope, NearMisses& near_misses) const {
  if (groups_.empty()) return {};
  const std::string space = scope == NameScope::Namespace ? from.space.str() : std::string();
  const auto [known, fresh] = found_.try_emplace({name, from.bundle, space, from.file, scope});
  if (!fresh) return known->second;
  NameMatch& match = known->second;
  Best best;
  if (const auto spaces = groups_.find({name, from.bundle}); spaces != groups_.end()) {
    if (space.empty()) {
      for (const auto& [other, group] : spaces->second) weigh(group, from.file, best);
    } else {
      for (const std::string& wanted : {space, std::string()}) {
        if (const auto group = spaces->second.find(wanted); group != spaces->second.end())
          weigh(group->second, from.file, best);
      }
      if (best.near == 0) match.elsewhere = spaces->second.begin()->first;
    }
  }
  if (best.near > 0) {
    match.index = best.some.first;
    match.ambiguous = best.some.count > 1;
  } else {
    match.near_miss = near_miss(name, from.file, near_misses);
  }
  return match;
}

std::optional<std::string> NameIndex::near_miss(const std::string& name, const std::string& file,
                                                NearMisses& near_misses) const {
  const auto others = names_of_file_.find(file);
  if (others == names_of_file_.end()) return std::nullopt;
  const auto [names, fresh] = candidates_.try_emplace(file);
  if (fresh) names->second.assign(others->second.begin(), others->second.end());
  const std::optional<std::string_view> guess = near_misses.nearest(name, names->second);
  return guess ? std::optional(std::string(*guess)) : std::nullopt;
}

}  // namespace muster
