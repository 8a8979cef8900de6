#include <algorithm>
#include <map>

#include "base/strings.h"
#include "inventory/readers.h"

namespace muster {
namespace {

// Source: NVIDIA/topograph:pkg/models/model.go and tests/models (1.0); pkg/providers/netq (the two answers of NetQ).

/// A model: a mapping of switches to the switches below them, and blocks with their nodes and the switch above them.
class ModelReader {
 public:
  ModelReader(const Node& root, DumpContext& context) : root_(root), context_(context) {}

  void run(Dump& dump) {
    dump.format = "topograph model";
    const Node switches = root_["switches"];
    std::map<std::string, std::string> parents;
    for (std::size_t i = 0; i < switches.size(); ++i) {
      const Node below = switches.value(i)["switches"];
      for (std::size_t c = 0; below.is_sequence() && c < below.size(); ++c)
        parents.try_emplace(std::string(below.item(c).text()), std::string(switches.key(i).text()));
    }
    std::map<std::string, DomainRecord> tree;
    const auto domain = [&](const std::string& name, const Span& where) -> DomainRecord& {
      const auto [found, fresh] = tree.try_emplace(name);
      if (fresh) found->second = {name, "", parents.contains(name) ? parents[name] : "", {}, where, ""};
      return found->second;
    };
    for (std::size_t i = 0; i < switches.size(); ++i)
      domain(std::string(switches.key(i).text()), switches.key(i).where());
    const Node blocks = root_["blocks"];
    for (std::size_t i = 0; i < blocks.size(); ++i)
      read_block(blocks.item(i),
                 domain(std::string(blocks.item(i)["switch"].text()), blocks.item(i)["switch"].where()));
    add(dump, TopologyRecord::Shape::Tree, tree);
    add(dump, TopologyRecord::Shape::Blocks, accelerators_);
  }

 private:
  void read_block(const Node& block, DomainRecord& leaf) {
    std::vector<std::string> nodes;
    const Node lists = block["nodes"];
    for (std::size_t i = 0; lists.is_sequence() && i < lists.size(); ++i) {
      for (std::string& name : names_of(context_, lists.item(i).text(), lists.item(i).where()))
        nodes.push_back(std::move(name));
    }
    leaf.nodes.insert(leaf.nodes.end(), nodes.begin(), nodes.end());
    const Node annotations = block["annotations"];
    for (std::size_t i = 0; annotations.is_mapping() && i < annotations.size(); ++i) {
      const std::string_view key = annotations.key(i).text();
      if (!key.starts_with("accelerator.") || !key.ends_with("/domain")) continue;
      const Node value = annotations.value(i);
      const auto [found, fresh] = accelerators_.try_emplace(std::string(value.text()));
      if (fresh) found->second = {std::string(value.text()), "", "", {}, value.where(), ""};
      found->second.nodes.insert(found->second.nodes.end(), nodes.begin(), nodes.end());
    }
  }

  static void add(Dump& dump, TopologyRecord::Shape shape, const std::map<std::string, DomainRecord>& domains) {
    TopologyRecord record;
    record.shape = shape;
    record.shares_nvlink = shape == TopologyRecord::Shape::Blocks;
    record.where = dump.where;
    for (const auto& [name, domain] : domains) {
      if (!name.empty()) record.domains.push_back(domain);
    }
    if (!record.domains.empty()) dump.topologies.push_back(std::move(record));
  }

  Node root_;
  DumpContext& context_;
  std::map<std::string, DomainRecord> accelerators_;
};

/// NetQ's NVLink nodes: each with its GPUs and its domain.
void read_compute_nodes(const Node& root, Dump& dump, DumpContext& context) {
  dump.format = "NetQ NVLink nodes";
  TopologyRecord blocks;
  blocks.shape = TopologyRecord::Shape::Blocks;
  blocks.shares_nvlink = true;
  blocks.where = dump.where;
  std::map<std::string, DomainRecord> domains;
  for (std::size_t i = 0; i < root.size(); ++i) {
    const Node item = root.item(i);
    const Node name = item["Name"];
    if (!is_node_name(name.text())) {
      unreadable(context, name.where(), "`" + std::string(name.text()) + "` cannot be the name of a node");
      continue;
    }
    NodeRecord record;
    record.names = {std::string(name.text())};
    record.where = name.where();
    if (item["GpuIDList"].is_sequence())
      say(context, record, "gpus_per_node", std::to_string(item["GpuIDList"].size()), item["GpuIDList"].where());
    dump.nodes.push_back(std::move(record));
    const Node domain = item["DomainUUID"];
    if (domain.text().empty()) continue;
    const auto [found, fresh] = domains.try_emplace(std::string(domain.text()));
    if (fresh) found->second = {std::string(domain.text()), "", "", {}, domain.where(), ""};
    found->second.nodes.emplace_back(name.text());
  }
  for (const auto& [name, domain] : domains) blocks.domains.push_back(domain);
  if (!blocks.domains.empty()) dump.topologies.push_back(std::move(blocks));
}

/// NetQ's graph: devices in tiers and the links between them. Hosts have no tier; their leaves are of the lowest.
class GraphReader {
 public:
  explicit GraphReader(const Node& graph) : graph_(graph) {}

  void run(Dump& dump, DumpContext& context) {
    dump.format = "NetQ topology graph";
    dump.scope = Scope::Fabric;
    read_devices();
    read_links();
    TopologyRecord tree;
    tree.where = dump.where;
    std::map<std::string, std::vector<std::string>> hosts;  // by the leaves they hang on, which are one domain
    for (const auto& [id, device] : devices_) {
      if (device.tier > 0 || !is_node_name(device.name)) continue;
      NodeRecord record;
      record.names = {device.name};
      record.where = device.where;
      dump.nodes.push_back(std::move(record));
      const std::string leaf = nearest_above(id, 0);
      if (!leaf.empty()) hosts[leaf].push_back(device.name);
    }
    for (const auto& [id, device] : devices_) {
      if (device.tier <= 0) continue;
      DomainRecord domain;
      domain.name = device.name;
      domain.where = device.where;
      const std::string above = nearest_above(id, device.tier);
      if (!above.empty()) domain.parent = devices_.at(above).name;
      if (hosts.contains(id)) domain.nodes = hosts[id];
      tree.domains.push_back(std::move(domain));
    }
    static_cast<void>(context);
    if (!tree.domains.empty()) dump.topologies.push_back(std::move(tree));
  }

 private:
  struct Device {
    std::string name;
    std::int64_t tier = 0;
    Span where;
    std::vector<std::string> links;
  };

  void read_devices() {
    const Node tiers = graph_["nodes"];
    for (std::size_t t = 0; t < tiers.size(); ++t) {
      const Node members = tiers.item(t)["compounded_nodes"];
      for (std::size_t i = 0; members.is_sequence() && i < members.size(); ++i) {
        const Node one = members.item(i);
        devices_[std::string(one["id"].text())] = {
            std::string(one["name"].text()), parse_int(one["tier"].text()).value_or(0), one["name"].where(), {}};
      }
    }
  }
  void read_links() {
    const Node links = graph_["links"];
    for (std::size_t i = 0; i < links.size(); ++i) {
      const auto a = devices_.find(std::string(links.item(i)["src"].text()));
      const auto b = devices_.find(std::string(links.item(i)["target"].text()));
      if (a == devices_.end() || b == devices_.end()) continue;
      a->second.links.push_back(b->first);
      b->second.links.push_back(a->first);
    }
  }
  /// The first by id of the neighbours one tier up: a host on several leaves and a leaf on several spines counts once.
  std::string nearest_above(const std::string& id, std::int64_t tier) const {
    std::string best;
    for (const std::string& other : devices_.at(id).links) {
      const Device& device = devices_.at(other);
      const bool up = device.tier > std::max<std::int64_t>(tier, 0);
      if (up && (best.empty() || device.tier < devices_.at(best).tier ||
                 (device.tier == devices_.at(best).tier && device.name < devices_.at(best).name)))
        best = other;
    }
    return best;
  }

  Node graph_;
  std::map<std::string, Device> devices_;
};

}  // namespace

void read_topograph(const Node& root, std::string_view kind, FileId file, DumpContext& context) {
  Dump dump;
  dump.file = file;
  dump.rank = 65;
  dump.scope = Scope::Any;
  dump.where = {file, root.where().begin, root.where().begin};
  if (kind == "topograph-model") {
    ModelReader(root, context).run(dump);
  } else if (kind == "netq-nodes") {
    read_compute_nodes(root, dump, context);
  } else {
    GraphReader(root.item(0)).run(dump, context);
  }
  context.dumps.push_back(std::move(dump));
}

}  // namespace muster
