#include <map>
#include <set>
#include <tuple>

#include "model/model.h"

namespace muster {
namespace {

constexpr std::size_t kMostAlike = 100;  // objects of one name that are looked at

}  // namespace

void relate_key_uses(Model& model) {
  if (model.key_uses.empty()) return;
  using Name = std::tuple<std::string_view, std::string_view, std::string_view>;  // bundle, kind, name
  std::map<Name, std::vector<const NamedKeys*>> by_name;
  for (const NamedKeys& one : model.named_keys) by_name[{one.bundle, one.kind, one.name.value}].push_back(&one);
  for (KeyUse& use : model.key_uses) {
    const auto found = by_name.find({use.bundle, use.of, use.target.value});
    if (found == by_name.end()) continue;
    // Overlays and environments have objects of one name: together they have what any of them has.
    std::set<std::string_view> there;
    bool open = found->second.size() > kMostAlike;
    bool any = false;
    for (std::size_t i = 0; !open && i < found->second.size(); ++i) {
      const NamedKeys& one = *found->second[i];
      if (!one.space.empty() && !use.space.empty() && one.space != use.space) continue;
      any = true;
      open = open || one.open;
      there.insert(one.keys.begin(), one.keys.end());
    }
    if (open || !any || there.contains(use.key.value)) continue;
    use.missing = true;
    for (const std::string_view key : there) {
      if (use.there.size() < kShown) use.there.emplace_back(key);
    }
  }
}

}  // namespace muster
