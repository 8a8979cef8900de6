#include "kinds/node_ports.h"

#include <map>
#include <string>

#include "base/strings.h"
#include "syntax/placeholder.h"
#include "syntax/read_value.h"

namespace muster {
namespace {

/// Where a Service asks for a port of the nodes, and which Service.
struct NodePort {
  Node port;
  Node name;
  Node space;
};

bool is_same_object(const NodePort& a, const NodePort& b) {
  return a.name.text() == b.name.text() && a.space.text() == b.space.text();
}

/// One with ports of the nodes. One of a ClusterIP is refused for another reason.
bool has_node_ports(const Node& root) {
  const std::string_view type = root["spec"]["type"].text();
  return root["apiVersion"].text() == "v1" && root["kind"].text() == "Service" &&
         (type == "NodePort" || type == "LoadBalancer") && root["spec"]["ports"].is_sequence() &&
         !is_unsaid(root["metadata"]["name"]) && !root["$patch"].exists();
}

void report_twice(const NodePort& first, const NodePort& second, std::vector<Finding>& findings) {
  findings.push_back(problem("node-port-twice", second.port.where(),
                             "Service `" + std::string(second.name.text()) + "` asks for the nodePort " +
                                 std::string(second.port.text()) + ", and so does `" + std::string(first.name.text()) +
                                 "`"));
  findings.back().field = "nodePort";
  findings.back().related.push_back({first.port.where(), "the other one"});
}

}  // namespace

void find_node_ports_twice(const std::deque<Document>& documents, std::string_view text,
                           std::vector<Finding>& findings) {
  if (!contains(text, "nodePort:")) return;
  std::map<std::int64_t, NodePort> first;
  std::uint32_t end = 0;
  for (const Document& document : documents) {
    const Node root = document.root();
    // What stands within a ConfigMap is for somebody else.
    if (root.where().begin < end) continue;
    end = root.where().end;
    if (!has_node_ports(root)) continue;
    const Node ports = root["spec"]["ports"];
    for (std::size_t i = 0; i < ports.size(); ++i) {
      const Node port = ports.item(i)["nodePort"];
      const std::optional<std::int64_t> number = port.is_scalar() ? yaml_int(port.text()) : std::nullopt;
      if (!number || *number == 0) continue;
      const NodePort one{port, root["metadata"]["name"], root["metadata"]["namespace"]};
      const auto [at, fresh] = first.try_emplace(*number, one);
      if (!fresh && !is_same_object(at->second, one)) report_twice(at->second, one, findings);
    }
  }
}

}  // namespace muster
