#include "kubernetes/check_policy_images.h"

#include <array>
#include <string>
#include <string_view>

#include "syntax/read_value.h"

namespace muster {
namespace {

/// A patch of a ClusterPolicy holds one of its parts, or two.
constexpr std::size_t kFewestPolicyParts = 3;

/// Those that are on where nothing says so.
constexpr std::array<std::string_view, 7> kImagedParts{"dcgmExporter", "devicePlugin", "driver",   "gfd",
                                                       "migManager",   "toolkit",      "validator"};
constexpr std::array<std::string_view, 3> kImageWords{"repository", "image", "version"};

/// What somebody fills in is, too.
bool has_content(const Node& value) {
  return value.exists() && !value.is_null() && (!value.is_scalar() || !value.text().empty());
}

}  // namespace

void check_policy_images(const Node& spec, std::vector<Finding>& findings) {
  if (!spec.is_mapping() || spec.size() < kFewestPolicyParts) return;
  for (const std::string_view name : kImagedParts) {
    const Node part = spec[name];
    const bool by_drivers = name == "driver" && is_true(part["useNvidiaDriverCRD"]);
    if (!part.is_mapping() || is_false(part["enabled"]) || by_drivers) continue;
    const Node given = has_content(part["repository"]) ? part["repository"] : part["version"];
    std::string missing;
    for (const std::string_view word : kImageWords) {
      if (!has_content(part[word])) missing += (missing.empty() ? "`" : " and `") + std::string(word) + "`";
    }
    if (!has_content(given) || missing.empty()) continue;
    findings.push_back(problem("gpu-operator-image-partial", given.key_where(),
                               "`" + std::string(name) + "` of the ClusterPolicy has no " + missing + " of its image"));
    findings.back().field = name;
    findings.back().about = About::Whole;
  }
}

}  // namespace muster
