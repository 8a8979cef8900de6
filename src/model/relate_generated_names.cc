// What kustomize makes with a hash behind its name, and what names it without.
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include "base/strings.h"
#include "model/model.h"

namespace muster {
namespace {

constexpr std::size_t kHashLength = 10;
constexpr std::size_t kMostLonger = 100;  // names that begin alike

/// Source: kubernetes-sigs/kustomize:api/hasher/hasher.go, encode (5.8): ten hexadecimal digits, some by other letters.
bool is_name_hash(std::string_view text) {
  return text.size() == kHashLength && text.find_first_not_of("2456789bcdfghkmt") == text.npos;
}

/// Of the kinds of Kubernetes itself kustomize knows the fields that name others.
bool is_custom(std::string_view group) { return contains(group, ".") && !group.ends_with(".k8s.io"); }

/// What is for others to build upon gets their `configurations`, too.
bool is_in_base(std::string_view file) {
  return file.starts_with("base/") || file.starts_with("bases/") || contains(file, "/base/") ||
         contains(file, "/bases/");
}

}  // namespace

void find_generated_names(Model& model) {
  using Made = std::tuple<std::string_view, std::string_view, std::string_view>;  // kind, bundle, name
  std::map<Made, std::string_view> made;                                          // its namespace
  std::set<std::pair<std::string_view, std::string_view>> anywhere;               // kind and name
  for (const NamedKeys& one : model.named_keys) {
    if (one.kind != "ConfigMap" && one.kind != "Secret") continue;
    made.insert({{one.kind, one.bundle, one.name.value}, one.space});
    anywhere.insert({one.kind, one.name.value});
  }
  for (KeyUse& use : model.key_uses) {
    if ((use.of != "ConfigMap" && use.of != "Secret") || use.by_operator) continue;
    if (anywhere.contains({use.of, use.target.value})) continue;
    const std::string start = use.target.value + "-";
    auto at = made.lower_bound({use.of, use.bundle, start});
    for (std::size_t i = 0; i < kMostLonger && at != made.end(); ++i, ++at) {
      const auto& [kind, bundle, name] = at->first;
      if (kind != use.of || bundle != use.bundle.view() || !name.starts_with(start)) break;
      if (!is_name_hash(name.substr(start.size()))) continue;
      use.lost = false;
      // Of two namespaces a later step may make one, and then the names meet.
      const bool meets = is_custom(use.group) && !is_in_base(use.file) && at->second == use.space.view();
      if (meets) use.generated = name;
      break;
    }
  }
}

}  // namespace muster
