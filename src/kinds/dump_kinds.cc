#include "kinds/dump_kinds.h"

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "slurm/scontrol_dump.h"

namespace muster {
namespace {

bool is_slurm_node(const Node& item) {
  return item["name"].is_scalar() && (item["real_memory"].exists() || item["cpus"].exists() || item["gres"].exists());
}
bool is_slurm_partition(const Node& item) { return item["name"].is_scalar() && item["nodes"]["configured"].exists(); }
bool is_slurm_group(const Node& item) { return item["nodes"]["nodes"].is_sequence() && item["gres"].exists(); }

bool all_items(const Node& list, bool (*holds)(const Node&)) {
  if (!list.is_sequence()) return false;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!holds(list.item(i))) return false;
  }
  return list.size() > 0;
}

bool is_slurm_json(const Node& root) {
  return lists_slurm_nodes(root["nodes"]) || lists_slurm_groups(root["sinfo"]) ||
         lists_slurm_partitions(root["partitions"]);
}

bool is_topograph_model(const Node& root) { return root["switches"].is_mapping() && root["blocks"].is_sequence(); }
bool is_netq_nodes(const Node& root) {
  return root.is_sequence() && root.size() > 0 && root.item(0)["DomainUUID"].is_scalar() &&
         root.item(0)["GpuIDList"].is_sequence();
}
bool is_netq_graph(const Node& root) {
  return root.is_sequence() && root.size() > 0 && root.item(0)["links"].is_sequence() &&
         root.item(0)["nodes"].is_sequence();
}

/// A configuration may come first, with nodes behind it.
bool is_scontrol_text(std::string_view text) {
  return is_scontrol_dump(text) || find_scontrol_config(text) != std::string_view::npos;
}

bool is_ibnetdiscover(std::string_view text) {
  for (const std::string_view mark : {"\nSwitch\t", "\nCa\t", "\nSwitch ", "\nCa "}) {
    const std::size_t at = text.find(mark);
    if (at == text.npos) continue;
    const std::string_view line = text.substr(at + 1, text.find('\n', at + 1) - at - 1);
    if (contains(line, "\"S-") || contains(line, "\"H-")) return true;
  }
  return false;
}

constexpr auto kText = DumpKind::Form::Text;
constexpr auto kTree = DumpKind::Form::Tree;
constexpr auto kObject = DumpKind::Form::Object;

constexpr std::array<std::string_view, 1> kMeta{"meta"};
constexpr std::array<std::string_view, 3> kSlurmLists{"nodes", "partitions", "sinfo"};
constexpr std::array<std::string_view, 2> kModelKeys{"switches", "blocks"};
constexpr std::array<std::string_view, 1> kNodesKeys{"GpuIDList"};
constexpr std::array<std::string_view, 2> kGraphKeys{"links", "nodes"};

// Sources: SchedMD/slurm:src/plugins/data_parser and src/api (24.11); NVIDIA/topograph:pkg/models/model.go (1.0) and
// pkg/providers/netq; linux-rdma/rdma-core:infiniband-diags/ibnetdiscover.c.
constexpr std::array kDumpKinds{
    DumpKind{"hyper-node", kObject, nullptr, nullptr, "topology.volcano.sh", "HyperNode", {}, {}},
    DumpKind{"ibnetdiscover", kText, is_ibnetdiscover, nullptr, "", "", {}, {}},
    DumpKind{"kai-topology", kObject, nullptr, nullptr, "kai.scheduler", "Topology", {}, {}},
    DumpKind{"kubernetes-node", kObject, nullptr, nullptr, "", "Node", {}, {}},
    DumpKind{"kueue-topology", kObject, nullptr, nullptr, "kueue.x-k8s.io", "Topology", {}, {}},
    DumpKind{"netq-graph", kTree, nullptr, is_netq_graph, "", "", kGraphKeys, {}},
    DumpKind{"netq-nodes", kTree, nullptr, is_netq_nodes, "", "", kNodesKeys, {}},
    DumpKind{"resource-slice", kObject, nullptr, nullptr, "resource.k8s.io", "ResourceSlice", {}, {}},
    DumpKind{"scontrol", kText, is_scontrol_text, nullptr, "", "", {}, {}},
    DumpKind{"slurm-json", kTree, nullptr, is_slurm_json, "", "", kMeta, kSlurmLists},
    DumpKind{"topograph-model", kTree, nullptr, is_topograph_model, "", "", kModelKeys, {}},
};

constexpr bool dump_kinds_sorted() {
  return std::ranges::adjacent_find(kDumpKinds, [](const DumpKind& a, const DumpKind& b) { return a.id >= b.id; }) ==
         kDumpKinds.end();
}
static_assert(dump_kinds_sorted(), "keep kDumpKinds sorted by id, without duplicates");

}  // namespace

std::span<const DumpKind> all_dump_kinds() { return kDumpKinds; }

const DumpKind* find_dumped_object(std::string_view group, std::string_view object_kind) {
  for (const DumpKind& kind : kDumpKinds) {
    if (kind.form == kObject && kind.group == group && kind.object_kind == object_kind) return &kind;
  }
  return nullptr;
}

bool lists_slurm_nodes(const Node& list) { return all_items(list, is_slurm_node); }
bool lists_slurm_partitions(const Node& list) { return all_items(list, is_slurm_partition); }
bool lists_slurm_groups(const Node& list) { return all_items(list, is_slurm_group); }

}  // namespace muster
