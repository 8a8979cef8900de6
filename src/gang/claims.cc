#include "gang/claims.h"

#include <algorithm>

#include "base/capped.h"
#include "base/strings.h"
#include "input/object_index.h"
#include "syntax/read_value.h"

namespace muster {
namespace {

constexpr std::string_view kGroup = "resource.k8s.io";
constexpr std::size_t kMostClaims = 100;    // of a pod; the API server takes 32
constexpr std::size_t kMostRequests = 100;  // of a claim; the API server takes 32

enum class DeviceSort { Accelerator, Other, Unknown };

/// By the name of its class, which drivers choose: gpu.nvidia.com, mig.nvidia.com, tpu.google.com; channels between
/// nodes and network cards are none.
DeviceSort sort_of(std::string_view device_class) {
  for (const std::string_view word : {"compute-domain", "nic", "rdma", "net", "sriov", "imex"}) {
    if (contains(device_class, word) && !contains(device_class, "gpu")) return DeviceSort::Other;
  }
  for (const std::string_view word : {"gpu", "mig", "tpu", "npu", "neuron", "gaudi"}) {
    if (contains(device_class, word)) return DeviceSort::Accelerator;
  }
  return DeviceSort::Unknown;
}

class ClaimReader {
 public:
  ClaimReader(const NormaliseContext& context, Role& role) : context_(context), role_(role) {}

  void run(const Node& claims, std::string_view space) {
    for (std::size_t i = 0; i < std::min(claims.size(), kMostClaims); ++i) {
      const Node claim = claims.item(i);
      const Node by_template = claim["resourceClaimTemplateName"];
      const bool shared = !by_template.exists();
      const Node name = shared ? claim["resourceClaimName"] : by_template;
      const std::string kind = shared ? "ResourceClaim" : "ResourceClaimTemplate";
      const Node object = context_.objects->find(kGroup, kind, name.text(), space, context_.file);
      if (!object.exists()) return;  // it stays open
      const Node spec = shared ? object["spec"] : object["spec"]["spec"];
      if (!add_requests(spec["devices"]["requests"], shared)) return;
    }
    if (count_ > 0) {
      role_.accelerator = set_to(device_class_, where_, "resourceClaims");
      role_.gpus_each = set_to(count_, where_, "resourceClaims");
    } else {
      role_.gpus_each = defaulted_to<std::int64_t>(0, role_.gpus_each.where, "resourceClaims");
    }
  }

 private:
  /// False where the number stays open: alternatives, all devices of a node, one claim for several pods.
  bool add_requests(const Node& requests, bool shared) {
    for (std::size_t i = 0; requests.is_sequence() && i < std::min(requests.size(), kMostRequests); ++i) {
      const Node request = requests.item(i);
      const Node exactly = request["exactly"].exists() ? request["exactly"] : request;  // v1alpha3 and v1beta1
      const Node device_class = exactly["deviceClassName"];
      const DeviceSort sort = sort_of(device_class.text());
      // Who watches devices takes none.
      if (sort == DeviceSort::Other || is_true(exactly["adminAccess"])) continue;
      const bool one = role_.count.known() && role_.count.value == 1;
      if (sort == DeviceSort::Unknown || exactly["allocationMode"].text() == "All" || (shared && !one)) return false;
      std::vector<Finding> ignored;
      const Located<std::int64_t> count = read_int(exactly["count"], "count", ignored);
      if (count.unknown()) return false;
      count_ = add_capped(count_, count.is_set() ? count.value : 1);
      if (where_.placed()) continue;
      where_ = (exactly["count"].exists() ? exactly["count"] : device_class).where();
      device_class_ = device_class.text();
    }
    return true;
  }

  const NormaliseContext& context_;
  Role& role_;
  std::int64_t count_ = 0;
  std::string device_class_;
  Span where_;
};

}  // namespace

void read_claims(const Node& pod_spec, std::string_view space, const NormaliseContext& context, Role& role) {
  const Node claims = pod_spec["resourceClaims"];
  const bool open = role.gpus_each.unknown() && !role.accelerator.is_set();
  if (open && context.objects != nullptr && claims.is_sequence()) ClaimReader(context, role).run(claims, space);
}

}  // namespace muster
