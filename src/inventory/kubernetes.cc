#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/quantity.h"
#include "base/strings.h"
#include "inventory/kubernetes_topology.h"
#include "inventory/readers.h"
#include "model/device_platforms.h"

namespace muster {
namespace {

// Sources: NVIDIA/k8s-device-plugin:docs/gpu-feature-discovery/README.md (0.17) for the labels; kubernetes/api:core/v1
// for the status; ROCm/k8s-device-plugin:cmd/k8s-node-labeller (1.31).

/// Bytes of a quantity in units of 2^shift, rounded down.
std::optional<std::int64_t> whole_units(std::string_view text, int shift) {
  const std::optional<Quantity> quantity = Quantity::parse(text);
  if (!quantity) return std::nullopt;
  return quantity->whole >> shift;
}

class NodeReader {
 public:
  NodeReader(const Node& object, DumpContext& context)
      : object_(object),
        labels_(object["metadata"]["labels"]),
        capacity_(object["status"]["capacity"]),
        context_(context) {}

  NodeRecord run(std::string& plane) {
    const Node name = object_["metadata"]["name"];
    record_.names = {std::string(name.text())};
    record_.where = name.where();
    plane = contains(object_["status"]["nodeInfo"]["kubeletVersion"].text(), "+k3s") ? "k3s" : "kubernetes";
    say(context_, record_, "control_plane", plane, record_.where);
    if (label("amd.com/gpu.product-name").exists() || capacity_["amd.com/gpu"].exists()) {
      read_amd();
    } else {
      read_nvidia();
    }
    read_machine();
    read_runtime();
    read_service();
    return std::move(record_);
  }

 private:
  Node label(std::string_view key) const { return labels_[key]; }

  void say_label(std::string_view fact, std::string_view key) {
    if (label(key).is_scalar()) say(context_, record_, fact, std::string(label(key).text()), label(key).where());
  }

  void read_amd() {
    say_label("accelerator.model", "amd.com/gpu.product-name");
    const Node count = capacity_["amd.com/gpu"];
    if (count.is_scalar()) say(context_, record_, "gpus_per_node", std::string(count.text()), count.where());
    const std::string_view memory = label("amd.com/gpu.vram").text();  // 192G, and it means GiB
    if (memory.ends_with("G"))
      say(context_, record_, "accelerator.memory_gib", std::string(memory.substr(0, memory.size() - 1)),
          label("amd.com/gpu.vram").where());
  }

  bool has_mig_capacity() const {
    for (std::size_t i = 0; capacity_.is_mapping() && i < capacity_.size(); ++i) {
      if (capacity_.key(i).text().starts_with("nvidia.com/mig-")) return true;
    }
    return false;
  }

  void read_nvidia() {
    const Node product = label("nvidia.com/gpu.product").exists() ? label("nvidia.com/gpu.product")
                                                                  : label("cloud.google.com/gke-accelerator");
    std::string model(product.text());
    const std::size_t mig = model.find("-MIG-");
    if (mig != model.npos || has_mig_capacity()) {
      say(context_, record_, "accelerator.partitioning", "mig", product.exists() ? product.where() : capacity_.where());
      leave_open(record_, "gpus_per_node",
                 "the GPUs are cut into pieces (MIG) and the pieces are counted; nvidia-smi -L on a node tells how "
                 "many GPUs they are of");
      leave_open(record_, "accelerator.memory_gib",
                 "the GPUs are cut into pieces (MIG) and the memory is theirs; nvidia-smi on a node tells");
      model.resize(std::min(mig, model.size()));
    } else {
      read_counts();
      read_memory();
    }
    if (model.ends_with("-SHARED")) model.resize(model.size() - 7);
    if (!model.empty()) say(context_, record_, "accelerator.model", std::move(model), product.where());
  }

  void read_memory() {
    const std::optional<std::int64_t> mib = parse_int(label("nvidia.com/gpu.memory").text());
    if (mib && *mib > 0)
      say(context_, record_, "accelerator.memory_gib", std::to_string((*mib + 512) / 1024),
          label("nvidia.com/gpu.memory").where());
  }

  void read_counts() {
    const Node count = label("nvidia.com/gpu.count");
    const Node replicas = label("nvidia.com/gpu.replicas");
    const bool shared = parse_int(replicas.text()).value_or(1) > 1;
    if (shared) {
      const std::string_view strategy = label("nvidia.com/gpu.sharing-strategy").text();
      if (strategy == "mps" || strategy == "time-slicing")
        say(context_, record_, "accelerator.partitioning", std::string(strategy),
            label("nvidia.com/gpu.sharing-strategy").where());
    }
    if (count.is_scalar()) say(context_, record_, "gpus_per_node", std::string(count.text()), count.where());
    constexpr std::array<std::string_view, 4> kResources{"nvidia.com/gpu", "gpu.intel.com/i915", "gpu.intel.com/xe",
                                                         "habana.ai/gaudi"};
    Node device;
    for (const std::string_view resource : kResources) {
      if (!device.exists() && capacity_[resource].is_scalar()) device = capacity_[resource];
    }
    // A shared GPU counts several times; none at all may be a node whose GPUs come by ResourceSlices.
    if (device.exists() && device.text() != "0" && !shared) {
      say(context_, record_, "gpus_per_node", std::string(device.text()), device.where());
    } else if (label("feature.node.kubernetes.io/pci-10de.present").text() == "true" ||
               label("nvidia.com/gpu.present").text() == "true") {
      if (!count.exists())
        leave_open(record_, "gpus_per_node",
                   "the nodes have NVIDIA devices that nobody counted; GPU Feature Discovery or a ResourceSlice does");
    } else if (capacity_.is_mapping() && !device.exists() && !count.exists()) {
      say(context_, record_, "gpus_per_node", "0", capacity_.key_where(), true);
    }
  }

  void read_machine() {
    const Node cpu = capacity_["cpu"];
    const std::optional<std::int64_t> cpus = cpu.is_scalar() ? whole_units(cpu.text(), 0) : std::nullopt;
    if (cpus && *cpus > 0) say(context_, record_, "node.cpus", std::to_string(*cpus), cpu.where());
    const Node memory = capacity_["memory"];
    const std::optional<std::int64_t> mib = memory.is_scalar() ? whole_units(memory.text(), 20) : std::nullopt;
    if (mib && *mib > 0) say(context_, record_, "node.memory_mib", std::to_string(*mib), memory.where());
  }

  /// cuda.driver-version.full, or the three labels of earlier releases.
  void say_version(std::string_view fact, std::string_view full, std::string_view old) {
    if (label(full).is_scalar()) return say_label(fact, full);
    std::string version;
    for (const std::string_view part : {"major", "minor", "rev"}) {
      const Node piece = label(std::string(old) + "." + std::string(part));
      if (piece.text().empty()) break;
      version += (version.empty() ? "" : ".") + std::string(piece.text());
    }
    if (!version.empty()) say(context_, record_, fact, version, label(std::string(old) + ".major").where());
  }

  void read_runtime() {
    const Node runtime = object_["status"]["nodeInfo"]["containerRuntimeVersion"];
    constexpr std::string_view kContainerd = "containerd://";
    if (runtime.text().starts_with(kContainerd))
      say(context_, record_, "runtime.containerd", std::string(runtime.text().substr(kContainerd.size())),
          runtime.where());
    const Node kernel = object_["status"]["nodeInfo"]["kernelVersion"];
    if (kernel.is_scalar() && !kernel.text().empty())
      say(context_, record_, "runtime.kernel", std::string(kernel.text()), kernel.where());
    say_version("runtime.driver", "nvidia.com/cuda.driver-version.full", "nvidia.com/cuda.driver");
    say_version("runtime.cuda", "nvidia.com/cuda.runtime-version.full", "nvidia.com/cuda.runtime");
  }

  /// Cordoned, or left by its kubelet. Taints for GPUs keep others away; any other keeps it for somebody.
  void read_service() {
    const Node cordon = object_["spec"]["unschedulable"];
    const Node taints = object_["spec"]["taints"];
    NodeService& service = record_.service;
    if (!object_["spec"].exists() && !object_["status"].exists()) return;
    service.now = Service::On;
    service.says = "neither a cordon nor a taint";
    service.where = record_.where;
    for (std::size_t i = 0; taints.is_sequence() && i < taints.size(); ++i) {
      const Node key = taints.item(i)["key"];
      if (taints.item(i)["effect"].text() == "PreferNoSchedule" || key.text() == "nvidia.com/gpu" ||
          key.text() == "amd.com/gpu")
        continue;
      const bool health = key.text().starts_with("node.kubernetes.io/");
      if (service.now == Service::Off) continue;
      service = {health ? Service::Off : Service::Kept, "the taint `" + std::string(key.text()) + "`", key.where(), {}};
    }
    if (cordon.text() == "true") service = {Service::Off, "`unschedulable: true`", cordon.where(), {}};
    const Node other = label("slinky.slurm.net/slurm-nodename");
    if (other.is_scalar() && is_node_name(other.text()))
      service.hosts = {record_.names.front(), std::string(other.text())};
  }

  Node object_;
  Node labels_;
  Node capacity_;
  DumpContext& context_;
  NodeRecord record_;
};

void read_nodes(const std::vector<DumpedObject>& nodes, const std::vector<LabelLevels>& kueue, DumpContext& context) {
  std::map<std::string, Dump> by_plane;
  std::map<std::string, std::map<std::string, std::size_t>> kubelets;
  std::map<std::string, LabelTopology> topologies;
  std::map<std::string, std::set<std::string_view>> platforms;
  for (const DumpedObject& node : nodes) {
    const Node name = node.object["metadata"]["name"];
    if (!is_node_name(name.text())) {
      unreadable(context, name.where(), "`" + std::string(name.text()) + "` cannot be the name of a node");
      continue;
    }
    std::string plane;
    NodeRecord record = NodeReader(node.object, context).run(plane);
    topologies[plane].add(node.object["metadata"]["labels"], record.names.front(), kueue);
    const std::string_view kubelet = node.object["status"]["nodeInfo"]["kubeletVersion"].text();
    if (!kubelet.empty()) ++kubelets[plane][std::string(kubelet)];
    const Node labels = node.object["metadata"]["labels"];
    for (std::size_t i = 0; labels.is_mapping() && i < labels.size(); ++i) {
      const std::string_view id = platform_of_label(labels.key(i).text(), labels.value(i).text());
      if (!id.empty()) platforms[plane].insert(id);
    }
    by_plane[plane].nodes.push_back(std::move(record));
  }
  for (auto& [plane, dump] : by_plane) {
    dump.file = nodes.front().file;
    dump.format = "Kubernetes nodes";
    dump.rank = 15;
    dump.scope = Scope::Kubernetes;
    dump.plane = plane;
    dump.where = dump.nodes.front().where;
    dump.lists_all_nodes = by_plane.size() == 1 && nodes.front().listed && dump.nodes.size() > 1;
    topologies[plane].finish(dump);
    dump.platforms = platforms[plane];
    std::vector<std::string> versions;
    for (const auto& [version, count] : kubelets[plane])
      versions.push_back(version + " (" + count_of(count, "node") + ")");
    if (!versions.empty())
      dump.notes.push_back("kubelets are " + show_some(versions) +
                           "; the API server is as new or up to three minor releases newer");
    context.dumps.push_back(std::move(dump));
  }
}

}  // namespace

Dump dump_of_objects(const std::vector<DumpedObject>& objects, std::string_view format, int rank) {
  Dump dump;
  dump.file = objects.front().file;
  dump.format = format;
  dump.rank = rank;
  dump.scope = Scope::Kubernetes;
  dump.plane = "kubernetes";
  dump.where = objects.front().object["metadata"]["name"].where();
  return dump;
}

std::vector<LabelLevels> topology_levels(const std::vector<DumpedObject>& objects) {
  constexpr std::size_t kMost = 64;    // Topologies of one cluster; more are no cluster's
  constexpr std::size_t kLevels = 16;  // of one, as its API allows
  std::vector<LabelLevels> out;
  for (const DumpedObject& entry : objects) {
    if (entry.kind->object_kind != "Topology" || out.size() == kMost) continue;
    LabelLevels levels;
    levels.where = entry.object["metadata"]["name"].where();
    const Node list = entry.object["spec"]["levels"];
    for (std::size_t i = 0; list.is_sequence() && i < std::min(list.size(), kLevels); ++i) {
      const std::string_view key = list.item(i)["nodeLabel"].text();
      if (!key.empty() && key != "kubernetes.io/hostname")
        levels.keys.emplace_back(key);  // that level is the node itself
    }
    if (!levels.keys.empty()) out.push_back(std::move(levels));
  }
  return out;
}

void read_kubernetes(const std::vector<DumpedObject>& objects, const std::vector<LabelLevels>& levels,
                     DumpContext& context) {
  std::map<std::string_view, std::vector<DumpedObject>> by_kind;
  for (const DumpedObject& entry : objects) by_kind[entry.kind->id].push_back(entry);
  if (by_kind.contains("kubernetes-node")) read_nodes(by_kind["kubernetes-node"], levels, context);
  if (by_kind.contains("resource-slice")) read_resource_slices(by_kind["resource-slice"], context);
  if (by_kind.contains("hyper-node")) read_hyper_nodes(by_kind["hyper-node"], context);
  constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kTopologies{
      std::pair("kueue-topology", "Kueue Topology"), std::pair("kai-topology", "KAI Topology")};
  for (const auto& [id, format] : kTopologies) {
    if (!by_kind.contains(id)) continue;
    Dump dump;
    dump.file = objects.front().file;
    dump.format = format;
    dump.rank = 70;
    dump.where = by_kind[id].front().object["metadata"]["name"].where();
    context.dumps.push_back(std::move(dump));
  }
}

}  // namespace muster
