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

const std::set<std::string>& TerraformFolders::applied_for(std::string_view folder) {
  const auto [known, fresh] = applied_.try_emplace(std::string(folder));
  std::set<std::string>& out = known->second;
  if (!fresh) return out;
  std::set<std::string_view> seen;
  std::vector<std::string_view> left{known->first};
  while (!left.empty()) {
    const std::string_view at = left.back();
    left.pop_back();
    if (!seen.insert(at).second) continue;
    const auto calls = calls_.find(at);
    if (calls == calls_.end()) {
      out.emplace(at);
      continue;
    }
    steps_ += calls->second.from.size();
    if (steps_ > kMostSteps) {
      out.clear();
      break;
    }
    left.insert(left.end(), calls->second.from.begin(), calls->second.from.end());
  }
  return out;
}

}  // namespace muster
