#include <algorithm>
#include <map>
#include <set>

#include "base/quantity.h"
#include "base/strings.h"
#include "inventory/readers.h"

namespace muster {
namespace {

// Sources: kubernetes/api:resource/v1/types.go (v1beta1 has `basic` between a device and its attributes);
// NVIDIA/k8s-dra-driver-gpu:cmd/gpu-kubelet-plugin/deviceinfo.go; ROCm/k8s-gpu-dra-driver.

/// The value of an attribute, by its own name or with the driver's domain before it.
Node attribute(const Node& device, std::string_view driver, std::string_view name) {
  const Node attributes = device["attributes"].exists() ? device["attributes"] : device["basic"]["attributes"];
  const Node plain = attributes[name];
  const Node one = plain.exists() ? plain : attributes[std::string(driver) + "/" + std::string(name)];
  return one["string"].exists() ? one["string"] : one["version"];
}

Node capacity(const Node& device, std::string_view name) {
  const Node all = device["capacity"].exists() ? device["capacity"] : device["basic"]["capacity"];
  const Node one = all[name];
  return one["value"].exists() ? one["value"] : one;
}

/// Devices of one pool of a node.
struct SlicePool {
  std::int64_t generation = -1;
  std::int64_t slices_wanted = 1;
  std::vector<Node> slices;
};

bool is_gpu_driver(std::string_view driver) { return driver.starts_with("gpu."); }

class PoolReader {
 public:
  PoolReader(const std::string& driver, const SlicePool& pool, DumpContext& context)
      : driver_(driver), pool_(pool), context_(context) {}

  /// Adds to the record of the node.
  void run(NodeRecord& record) {
    for (const Node& slice : pool_.slices) {
      const Node devices = slice["spec"]["devices"];
      for (std::size_t i = 0; devices.is_sequence() && i < devices.size(); ++i) read_device(devices.item(i));
    }
    const Span where = record.where;
    const bool whole = static_cast<std::int64_t>(pool_.slices.size()) >= pool_.slices_wanted;
    if (!whole)
      leave_open(
          record, "gpus_per_node",
          "of the node's ResourceSlices some are not in the dump; `kubectl get resourceslices -o yaml` prints all");
    if (!uuids_known_ && pieces_ > 0)
      leave_open(record, "gpus_per_node", "the devices are pieces of GPUs (MIG) that do not say of which");
    if (whole && (uuids_known_ || pieces_ == 0))
      say(context_, record, "gpus_per_node", std::to_string(gpus_ + parents_.size()), where);
    if (pieces_ > 0) say(context_, record, "accelerator.partitioning", "mig", where);
    if (models_.size() == 1)
      say(context_, record, "accelerator.model", models_.begin()->first, models_.begin()->second);
    if (models_.size() > 1)
      leave_open(record, "accelerator.model", "the GPUs of one node differ in their productName; a pool has one model");
    if (memories_.size() == 1)
      say(context_, record, "accelerator.memory_gib", std::to_string(memories_.begin()->first),
          memories_.begin()->second);
    // The driver's version is made a semantic one here (580.95.5), so labels that have it as it is come first.
    if (version_.exists())
      say(context_, record, "runtime.driver", std::string(version_.text()), version_.where(), true);
    if (cuda_.exists()) say(context_, record, "runtime.cuda", std::string(cuda_.text()), cuda_.where(), true);
  }

 private:
  void read_device(const Node& device) {
    const std::string_view type = attribute(device, driver_, "type").text();
    const bool piece = type == "mig" || type == "amdgpu-partition";
    if (!piece && !type.empty() && type != "gpu" && type != "amdgpu" && type != "vfio") return;
    const Node parent = attribute(device, driver_, "parentUUID");
    if (piece) ++pieces_;
    if (piece && !parent.exists()) uuids_known_ = false;
    if (piece && parent.exists()) parents_.insert(std::string(parent.text()));
    if (!piece) ++gpus_;
    const Node model = attribute(device, driver_, "productName");
    if (!model.text().empty()) models_.try_emplace(std::string(model.text()), model.where());
    const Node memory = capacity(device, "memory");
    const std::optional<Quantity> bytes = memory.is_scalar() && !piece ? Quantity::parse(memory.text()) : std::nullopt;
    if (bytes && bytes->whole > 0) memories_.try_emplace((bytes->whole + (1LL << 29)) >> 30, memory.where());
    if (!version_.exists()) version_ = attribute(device, driver_, "driverVersion");
    if (!cuda_.exists()) cuda_ = attribute(device, driver_, "cudaDriverVersion");
  }

  const std::string& driver_;
  const SlicePool& pool_;
  DumpContext& context_;
  std::size_t gpus_ = 0;
  std::size_t pieces_ = 0;
  bool uuids_known_ = true;
  std::set<std::string> parents_;
  std::map<std::string, Span> models_;
  std::map<std::int64_t, Span> memories_;
  Node version_;
  Node cuda_;
};

}  // namespace

void read_resource_slices(const std::vector<DumpedObject>& slices, DumpContext& context) {
  std::map<std::pair<std::string, std::string>, std::map<std::string, SlicePool>>
      by_node;  ///< node and driver, then pool
  std::map<std::string, Span> places;
  for (const DumpedObject& entry : slices) {
    const Node spec = entry.object["spec"];
    const std::string driver(spec["driver"].text());
    const Node name = spec["nodeName"];
    if (!is_gpu_driver(driver) || !is_node_name(name.text())) continue;  // devices of other kinds, or of no node
    SlicePool& pool = by_node[{std::string(name.text()), driver}][std::string(spec["pool"]["name"].text())];
    places.try_emplace(std::string(name.text()), name.where());
    // Slices of an older generation are about to be deleted.
    const std::int64_t generation = parse_int(spec["pool"]["generation"].text()).value_or(0);
    if (generation < pool.generation) continue;
    if (generation > pool.generation) pool.slices.clear();
    pool.generation = generation;
    pool.slices_wanted = parse_int(spec["pool"]["resourceSliceCount"].text()).value_or(1);
    pool.slices.push_back(entry.object);
  }
  Dump dump = dump_of_objects(slices, "ResourceSlices", 17);
  for (const auto& [node_and_driver, pools] : by_node) {
    NodeRecord record;
    record.names = {node_and_driver.first};
    record.where = places.at(node_and_driver.first);
    for (const auto& [name, pool] : pools) PoolReader(node_and_driver.second, pool, context).run(record);
    dump.nodes.push_back(std::move(record));
  }
  context.dumps.push_back(std::move(dump));
}

}  // namespace muster
