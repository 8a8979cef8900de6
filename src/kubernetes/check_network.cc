#include "kubernetes/check_network.h"

#include <algorithm>
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

/// The first such plugin of the configuration, alone or in a chain; empty: none, or nobody can read it.
std::string plugin_without_device(const Node& config) {
  Document document;
  std::vector<Finding> broken;
  if (!config.is_scalar() || !read_json(config.where().file, config.text(), document, broken) || !broken.empty())
    return {};
  const Node root = document.root();
  if (wants_device(root)) return std::string(root["type"].text());
  const Node plugins = root["plugins"];
  for (std::size_t i = 0; plugins.is_sequence() && i < std::min(plugins.size(), kMostPlugins); ++i) {
    if (wants_device(plugins.item(i))) return std::string(plugins.item(i)["type"].text());
  }
  return {};
}

}  // namespace

void check_network(const Node& object, std::vector<Finding>& findings) {
  const Node metadata = object["metadata"];
  const Node annotations = metadata["annotations"];
  if (annotations["k8s.v1.cni.cncf.io/resourceName"].exists() || annotations["<<"].exists() ||
      (annotations.exists() && !annotations.is_mapping() && !annotations.is_null()) || metadata["<<"].exists())
    return;
  const std::string type = plugin_without_device(object["spec"]["config"]);
  if (type.empty()) return;
  const Node name = metadata["name"];
  findings.push_back(problem("network-without-resource", name.where(),
                             "the network " + in_ticks(name.text()) + " is of the plugin `" + type +
                                 "` and has no annotation `k8s.v1.cni.cncf.io/resourceName`"));
  findings.back().field = "annotations";
  findings.back().about = About::Whole;
}

}  // namespace muster
