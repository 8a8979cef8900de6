#include "kubernetes/check_sharing.h"

#include <optional>
#include <string>

#include "base/strings.h"

namespace muster {
namespace {

/// The first count of replicas below 2 under `sharing`. Source: NVIDIA/k8s-device-plugin:api/config/v1/replicas.go
/// (0.14 to 0.19), UnmarshalJSON of ReplicatedResource.
std::optional<std::int64_t> few_replicas(std::string_view text) {
  const std::size_t sharing = text.find("sharing:");
  if (sharing == text.npos) return std::nullopt;
  for (std::string_view line : split(text.substr(sharing), '\n')) {
    line = trim(line.substr(0, line.find('#')));
    if (line.starts_with("- ")) line = trim(line.substr(2));
    if (!line.starts_with("replicas:")) continue;
    const auto count = parse_int(trim(line.substr(9)));
    if (count && *count < 2) return count;
  }
  return std::nullopt;
}

}  // namespace

void check_sharing(const Node& data, std::vector<Finding>& findings) {
  for (std::size_t i = 0; data.is_mapping() && i < data.size(); ++i) {
    const Node value = data.value(i);
    if (!value.is_scalar()) continue;
    const std::string_view text = value.text();
    if (!contains(text, "timeSlicing:") && !contains(text, "mps:")) continue;
    const auto count = few_replicas(text);
    if (!count) continue;
    const std::string_view key = data.key(i).text();
    findings.push_back(problem("sharing-replicas-few", value.key_where(),
                               "`" + std::string(key) + "` shares GPUs with `replicas: " + std::to_string(*count) +
                                   "`, and the device plugin takes 2 and more"));
    findings.back().field = key;
    findings.back().about = About::Whole;
  }
}

}  // namespace muster
