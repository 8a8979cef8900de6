#include "pipeline/terraform_folders.h"

#include <algorithm>
#include <vector>

#include "base/paths.h"

namespace muster {

void TerraformFolders::add_call(std::string_view from, std::string_view source, bool often) {
  Calls& calls = calls_[joined_path(from, source)];
  calls.from.insert(std::string(from));
  calls.often = calls.often || often;
  ++calls.times;
}

bool TerraformFolders::complete() const {
  return std::ranges::all_of(calls_, [&](const auto& called) { return folders_.contains(called.first); });
}

bool TerraformFolders::is_made_often(std::string_view folder) const {
  constexpr int kDeepest = 10;
  std::string at(folder);
  for (int depth = 0; depth < kDeepest; ++depth) {
    const auto calls = calls_.find(at);
    if (calls == calls_.end()) return false;
    if (calls->second.often || calls->second.times > 1) return true;
    at = *calls->second.from.begin();
  }
  return true;
}

std::set<std::string> TerraformFolders::applied_for(std::string_view folder) const {
  std::set<std::string> seen;
  std::set<std::string> out;
  std::vector<std::string> left{std::string(folder)};
  while (!left.empty()) {
    const std::string at = std::move(left.back());
    left.pop_back();
    if (!seen.insert(at).second) continue;
    const auto calls = calls_.find(at);
    if (calls == calls_.end()) out.insert(at);
    if (calls != calls_.end()) left.insert(left.end(), calls->second.from.begin(), calls->second.from.end());
  }
  return out;
}

}  // namespace muster
