#include <algorithm>
#include <array>

#include "base/strings.h"
#include "kubernetes/device_selector.h"

namespace muster {
namespace {

constexpr std::string_view kGpu = "gpu.nvidia.com";
constexpr std::string_view kDomain = "compute-domain.nvidia.com";

/// A name that a driver publishes.
struct PublishedRow {
  std::string_view name;
  std::string_view types;        ///< of devices that always have it: gpu, mig, vfio; blank-separated
  std::string_view rarely = "";  ///< of devices that may have it
  std::string_view until = "";   ///< the last release that has it; empty: today's
  bool version = false;
};

// Sources: kubernetes-sigs/dra-driver-nvidia-gpu:cmd/gpu-kubelet-plugin/deviceinfo.go (v25.3.0 to v0.5.0),
// site/content/docs/reference/resourceslice-attributes.md (0.5.0). Those for which `until` says so went with the
// release behind it.
constexpr std::array kGpuAttributes{
    PublishedRow{"addressingMode", "", "gpu mig"},
    PublishedRow{"architecture", "gpu mig"},
    PublishedRow{"brand", "gpu mig"},
    PublishedRow{"cudaComputeCapability", "gpu mig", "", "", true},
    PublishedRow{"cudaDriverVersion", "gpu mig", "", "", true},
    PublishedRow{"deviceID", "vfio"},
    PublishedRow{"driverVersion", "gpu mig", "", "", true},
    PublishedRow{"gpuModuleID", "", "gpu vfio"},
    PublishedRow{"index", "gpu mig", "", "25.3"},
    PublishedRow{"iommuFDEnabled", "vfio"},
    PublishedRow{"minor", "gpu", "", "25.3"},
    PublishedRow{"numa", "", "vfio"},
    PublishedRow{"parentIndex", "mig", "", "25.3"},
    PublishedRow{"parentUUID", "mig"},
    PublishedRow{"partition1", "", "gpu vfio"},
    PublishedRow{"partition2", "", "gpu vfio"},
    PublishedRow{"partition4", "", "gpu vfio"},
    PublishedRow{"partition8", "", "gpu vfio"},
    PublishedRow{"pcieBusID", "gpu mig", "", "25.8"},
    PublishedRow{"productName", "gpu mig vfio"},
    PublishedRow{"profile", "mig"},
    PublishedRow{"type", "gpu mig vfio"},
    PublishedRow{"uuid", "gpu mig vfio"},
    PublishedRow{"vendorID", "vfio"},
};
constexpr std::array kGpuCapacities{
    PublishedRow{"addressableMemory", "vfio"},     PublishedRow{"copyEngines", "mig", "gpu"},
    PublishedRow{"decoders", "mig", "gpu"},        PublishedRow{"encoders", "mig", "gpu"},
    PublishedRow{"jpegEngines", "mig", "gpu"},     PublishedRow{"memory", "gpu mig"},
    PublishedRow{"multiprocessors", "mig", "gpu"}, PublishedRow{"ofaEngines", "mig", "gpu"},
};
// Source: kubernetes-sigs/dra-driver-nvidia-gpu:cmd/compute-domain-kubelet-plugin/deviceinfo.go (0.5.0).
constexpr std::array kDomainAttributes{PublishedRow{"id", "channel daemon"}, PublishedRow{"type", "channel daemon"}};
// What any driver may publish. Source: kubernetes/kubernetes:staging/src/k8s.io/dynamic-resource-allocation/
// deviceattribute/attribute.go (1.37). Devices on a PCI bus all have its id: who asks for one has such devices.
constexpr std::array kStandardAttributes{PublishedRow{"numaNode", "", "any"}, PublishedRow{"pciBusID", "gpu mig vfio"},
                                         PublishedRow{"pcieRoot", "", "any"}};

/// The devices of a class that NVIDIA's driver installs; empty: of any sort.
std::string_view type_of_class(std::string_view device_class) {
  if (device_class == "gpu.nvidia.com") return "gpu";
  if (device_class == "mig.nvidia.com") return "mig";
  if (device_class == "vfio.gpu.nvidia.com") return "vfio";
  return "";
}

bool has_word(std::string_view words, std::string_view word) {
  const std::vector<std::string_view> all = split(words, ' ');
  return std::ranges::find(all, word) != all.end();
}

const PublishedRow* find_row(std::span<const PublishedRow> rows, std::string_view name) {
  const auto found = std::ranges::find(rows, name, &PublishedRow::name);
  return found == rows.end() ? nullptr : &*found;
}

bool same_letters(std::string_view a, std::string_view b) { return to_lower(a) == to_lower(b); }

PublishedAs judge(const PublishedRow& row, std::string_view type) {
  PublishedAs out{Published::Always, "", row.version};
  if (!row.until.empty()) {
    out.how = Published::Elsewhere;
    out.hint = "its releases up to " + std::string(row.until) + " did";
  } else if (type.empty() ? row.types.empty() : !has_word(row.types, type)) {
    const bool may = type.empty() || has_word(row.rarely, type) || row.rarely == "any";
    out.how = may ? Published::Sometimes : Published::Elsewhere;
    if (!may) out.hint = "devices of `" + std::string(row.types.empty() ? row.rarely : row.types) + "` have it";
  }
  return out;
}

std::string hint_of(std::string_view name, std::span<const PublishedRow> rows, std::span<const PublishedRow> others,
                    bool capacity) {
  for (const PublishedRow& row : rows) {
    if (same_letters(row.name, name)) return "it is written `" + std::string(row.name) + "`";
  }
  if (find_row(others, name) != nullptr)
    return std::string("it is ") + (capacity ? "an attribute: `device.attributes`" : "a capacity: `device.capacity`");
  std::vector<std::string_view> names;
  for (const PublishedRow& row : rows) {
    if (row.until.empty()) names.push_back(row.name);
  }
  const std::string near = did_you_mean(name, names);
  return near.empty() ? "it has " + join(names, ", ") : std::string(trim(near.substr(near.find_first_not_of("; "))));
}

}  // namespace

std::optional<PublishedAs> published(bool capacity, std::string_view domain, std::string_view name,
                                     std::string_view device_class) {
  std::span<const PublishedRow> rows;
  std::span<const PublishedRow> others;
  if (domain == kGpu) {
    rows = kGpuAttributes;
    others = kGpuCapacities;
    if (capacity) std::swap(rows, others);
    if (capacity && name.starts_with("memorySlice")) return PublishedAs{Published::Sometimes, "", false};
  } else if (domain == kDomain && !capacity) {
    rows = kDomainAttributes;
  } else if (domain == "resource.kubernetes.io" && !capacity) {
    rows = kStandardAttributes;
  } else {
    return std::nullopt;
  }
  if (const PublishedRow* row = find_row(rows, name))
    return judge(*row, domain == kGpu ? type_of_class(device_class) : "");
  // Other standard names may come with a release.
  if (domain == "resource.kubernetes.io") return std::nullopt;
  return PublishedAs{Published::Never, hint_of(name, rows, others, capacity), false};
}

}  // namespace muster
