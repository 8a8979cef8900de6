#include "kubernetes/check_network.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "syntax/json_reader.h"
#include "syntax/placeholder.h"

namespace muster {
namespace {

constexpr std::size_t kMostPlugins = 100;

/// A plugin that is given the device by its PCI address, and has none of its own.
bool wants_device(const Node& plugin) {
  const std::string_view type = plugin["type"].text();
  return (type == "sriov" || type == "ib-sriov") && !plugin["deviceID"].exists() && !plugin["pciBusID"].exists();
}

/// Addresses of a range that each node hands out by itself, in a network that reaches from node to node. Those of
/// `bridge` and `ptp` do not leave their node.
bool doubles_addresses(const Node& plugin) {
  constexpr std::array<std::string_view, 5> kShared{"macvlan", "ipvlan", "sriov", "ib-sriov", "host-device"};
  return std::ranges::find(kShared, plugin["type"].text()) != kShared.end() &&
         plugin["ipam"]["type"].text() == "host-local";
}

/// The configuration, read; empty: nobody can.
std::optional<Document> read_config(const Node& config) {
  std::optional<Document> document(std::in_place);
  std::vector<Finding> broken;
  if (!config.is_scalar() || !read_json(config.where().file, config.text(), *document, broken) || !broken.empty())
    return std::nullopt;
  return document;
}

/// The type of the first plugin of that kind, alone or in a chain; empty: none.
std::string first_plugin(const Node& root, bool (*is_one)(const Node&)) {
  if (is_one(root)) return std::string(root["type"].text());
  const Node plugins = root["plugins"];
  for (std::size_t i = 0; plugins.is_sequence() && i < std::min(plugins.size(), kMostPlugins); ++i) {
    if (is_one(plugins.item(i))) return std::string(plugins.item(i)["type"].text());
  }
  return {};
}

void check_resource(const Node& object, const Node& root, std::vector<Finding>& findings) {
  const Node metadata = object["metadata"];
  const Node annotations = metadata["annotations"];
  if (annotations["k8s.v1.cni.cncf.io/resourceName"].exists() || annotations["<<"].exists() ||
      (annotations.exists() && !annotations.is_mapping() && !annotations.is_null()) || metadata["<<"].exists())
    return;
  const std::string type = first_plugin(root, wants_device);
  if (type.empty()) return;
  const Node name = metadata["name"];
  findings.push_back(problem("network-without-resource", name.where(),
                             "the network " + in_ticks(name.text()) + " is of the plugin `" + type +
                                 "` and has no annotation `k8s.v1.cni.cncf.io/resourceName`"));
  findings.back().field = "annotations";
  findings.back().about = About::Whole;
}

/// One network a node may have a range of its own.
bool is_of_one_node(std::string_view name) {
  return contains_ignoring_case(name, "node") || contains_ignoring_case(name, "host");
}

}  // namespace

void check_network(const Node& object, std::vector<Finding>& findings) {
  const Node config = object["spec"]["config"];
  const std::optional<Document> document = read_config(config);
  if (!document) return;
  check_resource(object, document->root(), findings);
  const std::string type = first_plugin(document->root(), doubles_addresses);
  const std::string_view name = object["metadata"]["name"].text();
  if (type.empty() || is_of_one_node(name)) return;
  findings.push_back(problem("network-addresses-per-node", config.key_where(),
                             "each node hands out the addresses of " + in_ticks(name) + " by itself, and `" + type +
                                 "` joins them to one network"));
  findings.back().field = "config";
}

}  // namespace muster
