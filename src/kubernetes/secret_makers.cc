#include "kubernetes/secret_makers.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/strings.h"
#include "gang/manifest.h"
#include "kubernetes/key_uses.h"
#include "syntax/placeholder.h"

namespace muster {
namespace {

constexpr std::size_t kMostListed = 1000;

void take_listed(const Node& list, NamedKeys& out) {
  out.open = out.open || (list.exists() && !list.is_sequence()) || list.size() > kMostListed;
  for (std::size_t i = 0; !out.open && i < list.size(); ++i) {
    const Node key = list.item(i)["secretKey"];
    out.open = !key.is_scalar() || key.text().empty() || is_placeholder(key.text());
    out.keys.emplace_back(key.text());
  }
}

/// Source: external-secrets/external-secrets:pkg/controllers/externalsecret/externalsecret_controller_template.go
/// (cc5bfbc22), ApplyTemplate: `data` of a template stands for what was fetched, unless it is merged.
void external_secret(const Node& spec, NamedKeys& out) {
  const Node target = spec["target"];
  const Node made = target["template"];
  const std::string_view policy = target["creationPolicy"].text();
  out.open = out.open || (!policy.empty() && policy != "Owner" && policy != "Orphan") || target["manifest"].exists() ||
             made["templateFrom"].exists() || made["mergePolicy"].text() == "Merge";
  if (made["data"].size() > 0) return take_keys(made["data"], out);
  out.open = out.open || spec["dataFrom"].exists();
  take_listed(spec["data"], out);
}

/// One that is patched keeps what it had. Sources:
/// bitnami-labs/sealed-secrets:pkg/apis/sealedsecrets/v1alpha1/sealedsecret_expansion.go, Unseal, and
/// pkg/controller/controller.go, isAnnotatedToBePatched (86671a88).
void sealed_secret(const Node& spec, NamedKeys& out) {
  const Node patched = spec["template"]["metadata"]["annotations"]["sealedsecrets.bitnami.com/patch"];
  out.open = out.open || spec["data"].exists() || patched.exists();
  take_keys(spec["encryptedData"], out);
  take_keys(spec["template"]["data"], out);
}

}  // namespace

bool makes_secret(std::string_view group, std::string_view kind) {
  return (group == "external-secrets.io" && kind == "ExternalSecret") ||
         (group == "bitnami.com" && kind == "SealedSecret");
}

NamedKeys read_made_secret(const Node& object, std::string_view api_version, std::string_view kind) {
  NamedKeys one;
  identify(object, api_version, "Secret", one);
  const Node spec = object["spec"];
  const bool external = kind == "ExternalSecret";
  const Node name = spec["target"]["name"];
  if (external && name.exists()) one.name = set_to(std::string(name.text()), name.where(), "name");
  one.open = !object["metadata"]["name"].is_scalar() || is_placeholder(one.name.value);
  if (external) external_secret(spec, one);
  if (!external) sealed_secret(spec, one);
  one.open = one.open || one.keys.empty();
  return one;
}

bool is_filled_by_controller(const Node& object) {
  constexpr std::array<std::string_view, 3> kFill{"secret-generator.", "/replicate-from", "/reflects"};
  const Node annotations = object["metadata"]["annotations"];
  for (std::size_t i = 0; annotations.is_mapping() && i < std::min(annotations.size(), kMostListed); ++i) {
    const std::string_view key = annotations.key(i).text();
    if (std::ranges::any_of(kFill, [&](std::string_view one) { return contains(key, one); })) return true;
  }
  return false;
}

}  // namespace muster
