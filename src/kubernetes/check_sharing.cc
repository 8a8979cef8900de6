#include "kubernetes/check_sharing.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/strings.h"
#include "syntax/embedded.h"
#include "syntax/read_value.h"

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

std::string_view without_quotes(std::string_view text) {
  const bool quoted = text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
  return quoted ? text.substr(1, text.size() - 2) : text;
}

/// `name: nvidia.com/gpu` and `replicas: 4` of the lines behind `timeSlicing:` or `mps:`, up to where another document
/// begins. A number that is filled in later counts.
void add_shared(std::string_view lines, std::set<std::string>& out) {
  std::set<std::string> names;
  bool several = false;
  for (std::string_view line : split(lines, '\n')) {
    line = trim(line.substr(0, line.find('#')));
    if (line == "---") break;
    if (line.starts_with("- ")) line = trim(line.substr(2));
    if (line.starts_with("name:")) names.emplace(without_quotes(trim(line.substr(5))));
    if (!line.starts_with("replicas:")) continue;
    const auto count = parse_int(trim(line.substr(9)));
    several |= !count || *count >= 2;
  }
  if (several) out.merge(names);
}

void add_all_shared(std::string_view text, std::string_view way, std::set<std::string>& out) {
  constexpr std::size_t kMostRead = 2000;  // a configuration has a few lines a resource
  if (!contains(text, way)) return;
  for (std::size_t at = text.find(way); at != text.npos;) {
    const std::size_t here = at;
    const std::string_view rest = text.substr(at + way.size());
    at = text.find(way, at + 1);
    // No blank before the word that is looked for: a file is full of blanks.
    if (here != 0 && text[here - 1] == ' ') add_shared(rest.substr(0, std::min(rest.find(way), kMostRead)), out);
  }
}

}  // namespace

std::set<std::string> shared_accelerators(std::string_view text) {
  std::set<std::string> out = time_sliced_accelerators(text);
  add_all_shared(text, "mps:", out);
  return out;
}

std::set<std::string> time_sliced_accelerators(std::string_view text) {
  std::set<std::string> out;
  add_all_shared(text, "timeSlicing:", out);
  return out;
}

/// A config of the device plugin with `timeSlicing:` or `mps:` and no `resources:` in it. Source:
/// NVIDIA/k8s-device-plugin:api/config/v1/replicas.go, ReplicatedResources.UnmarshalJSON (0.17): no resources
/// specified.
static bool shares_nothing(std::string_view text) {
  return contains(text, "sharing:") && contains(text, "version:") && contains(text, "replicas:") &&
         !contains(text, "resources:") && !contains(text, "{{");
}

/// What each item of `resources` needs. Source: NVIDIA/k8s-device-plugin:api/config/v1/replicas.go,
/// ReplicatedResource.UnmarshalJSON (0.14 to 0.18).
static void check_shared_resources(const Node& root, const Node& value, std::string_view key,
                                   std::vector<Finding>& findings) {
  for (const std::string_view way : {"timeSlicing", "mps"}) {
    const Node resources = root["sharing"][way]["resources"];
    for (std::size_t i = 0; resources.is_sequence() && i < resources.size(); ++i) {
      const Node one = resources.item(i);
      if (!one.is_mapping() || one["<<"].exists()) continue;
      for (const std::string_view field : {"name", "replicas"}) {
        if (one[field].exists()) continue;
        findings.push_back(problem("sharing-resource-incomplete", value.key_where(),
                                   "a resource in `" + std::string(way) + "` of `" + std::string(key) + "` lacks `" +
                                       std::string(field) + "`"));
        findings.back().field = key;
        findings.back().about = About::Whole;
        return;
      }
    }
  }
}

/// Options of `timeSlicing` and `mps` that stand where nobody reads them. Source: NVIDIA/k8s-device-plugin:
/// api/config/v1/{config,flags,sharing,replicas}.go (0.19).
static void check_sharing_places(const Node& root, const Node& value, std::string_view key,
                                 std::vector<Finding>& findings) {
  const std::pair<std::string_view, Node> places[] = {{"the top", root},
                                                      {"`flags`", root["flags"]},
                                                      {"`flags.plugin`", root["flags"]["plugin"]},
                                                      {"`sharing`", root["sharing"]}};
  for (const auto& [place, node] : places) {
    for (const std::string_view option : {"renameByDefault", "failRequestsGreaterThanOne"}) {
      if (!node.is_mapping() || !node[option].exists() || is_false(node[option])) continue;
      findings.push_back(problem("sharing-option-misplaced", value.key_where(),
                                 "`" + std::string(option) + "` stands at " + std::string(place) + " of `" +
                                     std::string(key) + "`, where the device plugin reads none"));
      findings.back().field = key;
      findings.back().about = About::Whole;
      return;
    }
  }
}

void check_sharing(const Node& data, std::vector<Finding>& findings) {
  for (std::size_t i = 0; data.is_mapping() && i < data.size(); ++i) {
    const Node value = data.value(i);
    if (!value.is_scalar()) continue;
    const std::string_view text = value.text();
    if (!contains(text, "timeSlicing:") && !contains(text, "mps:")) continue;
    const auto count = few_replicas(text);
    const std::string_view key = data.key(i).text();
    const std::optional<Document> read = read_text_document(value, nullptr);
    if (read && read->root()["version"].exists()) {
      check_shared_resources(read->root(), value, key, findings);
      check_sharing_places(read->root(), value, key, findings);
    }
    if (shares_nothing(text)) {
      findings.push_back(problem("sharing-without-resources", value.key_where(),
                                 "`" + std::string(key) + "` shares GPUs and names no `resources`"));
      findings.back().field = key;
      findings.back().about = About::Whole;
    }
    const bool refuses = contains(text, "failRequestsGreaterThanOne: true") || contains(text, "{{");
    if (!count && !refuses && !shared_accelerators(text).empty() && !contains(text, "mps:")) {
      findings.push_back(problem("sharing-takes-several", value.key_where(),
                                 "`" + std::string(key) + "` lets a pod ask for several slices of shared GPUs"));
      findings.back().field = key;
      findings.back().about = About::Whole;
    }
    if (!count) continue;
    findings.push_back(problem("sharing-replicas-few", value.key_where(),
                               "`" + std::string(key) + "` shares GPUs with `replicas: " + std::to_string(*count) +
                                   "`, and the device plugin takes 2 and more"));
    findings.back().field = key;
    findings.back().about = About::Whole;
  }
}

}  // namespace muster
