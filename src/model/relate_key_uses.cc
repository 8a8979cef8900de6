#include <map>
#include <set>
#include <tuple>

#include "base/strings.h"
#include "model/model.h"

namespace muster {
namespace {

constexpr std::size_t kMostAlike = 100;  // objects of one name that are looked at

/// ConfigMaps and claims that are named and in no file, beside others of their kind.
void find_lost(Model& model) {
  std::set<std::pair<std::string_view, std::string_view>> made;     // by kind and name
  std::set<std::pair<std::string_view, std::string_view>> folders;  // that have the kind
  std::set<std::string_view> open;                                  // folders where something else makes objects, too
  std::set<std::pair<std::string_view, std::string_view>> said;     // claims of which relate_selectors has spoken
  for (const NamedKeys& one : model.named_keys) {
    made.insert({one.kind, one.name.value});
    folders.insert({one.kind, folder_of(one.file)});
  }
  for (const Manifest& one : model.manifests) {
    if (one.def->collection == "helm_releases") open.insert(folder_of(one.file));
    if (one.dangling.is_set()) said.insert({one.file, one.dangling.value});
    if (one.kind != "PersistentVolumeClaim") continue;
    made.insert({one.kind, one.name.value});
    folders.insert({one.kind, folder_of(one.file)});
  }
  for (KeyUse& use : model.key_uses) {
    if (use.of != "ConfigMap" && use.of != "PersistentVolumeClaim") continue;
    const std::string_view folder = folder_of(use.file);
    use.lost = !made.contains({use.of, use.target.value}) && folders.contains({use.of, folder}) &&
               !open.contains(folder) && !said.contains({use.file, use.target.value}) &&
               !use.target.value.ends_with(".crt");
  }
}

}  // namespace

void relate_key_uses(Model& model) {
  if (model.key_uses.empty()) return;
  find_lost(model);
  using Name = std::tuple<std::string_view, std::string_view, std::string_view>;  // bundle, kind, name
  std::map<Name, std::vector<const NamedKeys*>> by_name;
  for (const NamedKeys& one : model.named_keys) by_name[{one.bundle, one.kind, one.name.value}].push_back(&one);
  for (KeyUse& use : model.key_uses) {
    const auto found = use.key.is_set() ? by_name.find({use.bundle, use.of, use.target.value}) : by_name.end();
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
