// What kustomize makes with a hash behind its name, and what names it without.
#include <algorithm>
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

}  // namespace

void find_generated_names(Model& model) {
  using Made = std::tuple<std::string_view, std::string_view, std::string_view>;  // kind, bundle, name
  std::set<Made> made;
  std::set<std::pair<std::string_view, std::string_view>> anywhere;  // kind and name
  for (const NamedKeys& one : model.named_keys) {
    if (one.kind != "ConfigMap" && one.kind != "Secret") continue;
    made.insert({one.kind, one.bundle, one.name.value});
    anywhere.insert({one.kind, one.name.value});
  }
  for (KeyUse& use : model.key_uses) {
    if ((use.of != "ConfigMap" && use.of != "Secret") || use.by_operator) continue;
    if (anywhere.contains({use.of, use.target.value})) continue;
    const std::string start = use.target.value + "-";
    auto at = made.lower_bound({use.of, use.bundle, start});
    for (std::size_t i = 0; i < kMostLonger && at != made.end(); ++i, ++at) {
      const auto& [kind, bundle, name] = *at;
      if (kind != use.of || bundle != use.bundle.view() || !name.starts_with(start)) break;
      if (!is_name_hash(name.substr(start.size()))) continue;
      use.generated = name;
      break;
    }
  }
}

}  // namespace muster
