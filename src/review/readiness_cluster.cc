// Checks of what runs in the cluster: API, kubelets, runtimes, drivers and the operator.
#include <algorithm>
#include <map>

#include "base/strings.h"
#include "model/device_releases.h"
#include "review/readiness.h"

namespace muster {
namespace {

Version version(std::string_view text) { return *Version::parse(text); }

/// A release that something on a node has, where that is said, and who says it.
struct Said {
  Version release;
  std::string who;
  ReviewPlace place;
};

std::string words_of(const Said& said) { return "`" + said.release.text() + "` on " + said.who; }

/// The lowest of them that is below, else all pass.
CheckFound judge(const std::vector<Said>& all, const Version& least, std::string_view what, std::string_view tell) {
  if (all.empty()) return {CheckResult::Unknown, std::string(tell)};
  const auto low = std::ranges::min_element(all, {}, &Said::release);
  const std::string wanted = std::string(what) + " " + least.text() + " or newer is needed; ";
  if (low->release < least) return {CheckResult::Fail, wanted + words_of(*low), low->place};
  return {CheckResult::Pass, wanted + "the oldest is " + words_of(*low), low->place};
}

void add_pools(const DraInput& input, std::string_view fact, std::vector<Said>& out) {
  for (const NodePool* pool : input.pools()) {
    const Located<FactValue>& value = pool->fact(fact);
    const std::optional<Version> release =
        value.known() ? Version::parse(std::get<std::string>(value.value)) : std::nullopt;
    if (release) out.push_back({*release, "node pool `" + pool->name.value + "`", input.place(value.where)});
  }
}

bool has_gpus(const Manifest& node) {
  const std::string count = text_at(node, "allocatable", "nvidia.com/gpu");
  return (!count.empty() && count != "0") || text_at(node, "labels", "nvidia.com/gpu.present") == "true";
}

/// Nodes with GPUs, as `kubectl get nodes -o yaml` prints them.
std::vector<const Manifest*> gpu_nodes(const DraInput& input) {
  std::vector<const Manifest*> out;
  for (const Manifest* node : input.objects("node_objects")) {
    if (has_gpus(*node)) out.push_back(node);
  }
  return out;
}

void add_node(const DraInput& input, const Manifest& node, std::string_view text, std::vector<Said>& out) {
  if (const std::optional<Version> release = Version::parse(text))
    out.push_back({*release, "node `" + node.name.value + "`", input.place(node.where)});
}

std::string_view behind(std::string_view text, std::string_view mark) {
  return text.starts_with(mark) ? text.substr(mark.size()) : std::string_view();
}

/// What runs the containers of a node or pool.
struct CdiRuntime {
  const DeviceRuntime* row = nullptr;
  Said said;
};

void add_cdi_runtime(const DraInput& input, const Manifest& node, std::vector<CdiRuntime>& out) {
  const std::string runtime = text_at(node, "info", "containerRuntimeVersion");
  for (const DeviceRuntime& row : device_runtimes()) {
    std::vector<Said> said;
    add_node(input, node, behind(runtime, std::string(row.name) + "://"), said);
    if (!said.empty()) out.push_back({&row, said.front()});
  }
}

CheckFound judge_cdi(const CdiRuntime& one, bool toolkit) {
  const DeviceRuntime& row = *one.row;
  const std::string is = std::string(row.name) + " " + words_of(one.said);
  const ReviewPlace& place = one.said.place;
  if (one.said.release < version(row.able))
    return {CheckResult::Fail, is + "; CDI came with " + std::string(row.able), place};
  // cri-dockerd stands between the kubelet and Docker.
  if (row.name == "docker")
    return {
        CheckResult::Unknown,
        is + "; Docker has CDI on from " + std::string(row.on) + " on, and no paper says that cri-dockerd asks for it",
        place};
  if (one.said.release < version(row.on))
    return {toolkit ? CheckResult::Pass : CheckResult::Unknown,
            is + "; before " + std::string(row.on) + " `" + std::string(row.key) + "` has to be set, " +
                (toolkit ? "and the toolkit of the GPU Operator sets it" : "which no file says"),
            place};
  return {CheckResult::Pass, is + "; CDI is on from " + std::string(row.on) + " on", place};
}

/// A release of the row of an object in the table of API versions; nothing where it has none.
std::optional<Version> release_of_api(const Manifest& object, std::string_view DeviceApi::*release) {
  const DeviceApi* api = find_device_api(object.api_version, object.kind);
  return api == nullptr ? std::nullopt : Version::parse(api->*release);
}

}  // namespace

CheckFound check_api_served(const DraInput& input) {
  const Version* release = input.release("kubernetes");
  ReviewPlace place = input.place_of_plane();
  const DevicePlatform* row = input.platform() ? platform_row(input.platform()->id, release) : nullptr;
  const std::string on = row == nullptr ? "" : "; " + words_of_platform(*row);
  if (row != nullptr && row->has == PlatformGate::None)
    return {CheckResult::Fail, words_of_platform(*row), input.place(input.platform()->where)};
  if (release == nullptr)
    return {CheckResult::Unknown,
            "the release of Kubernetes is not said: the fleet file, or `--target kubernetes=1.35`"};
  const std::string is = "Kubernetes is `" + release->text() + "`";
  if (*release < version("1.32"))
    return {CheckResult::Fail, is + "; no resource.k8s.io that today's drivers speak before 1.32", place};
  if (*release < version("1.35") && input.gate() == false)
    return {CheckResult::Fail, is + ", with the gate DynamicResourceAllocation off" + on, place};
  if (*release < version("1.34")) {
    if (input.gate() == true)
      return {CheckResult::Pass, is + ", with the gate on; the API is beta and needs `--runtime-config`, too" + on,
              place};
    return {CheckResult::Unknown,
            is +
                "; the gate DynamicResourceAllocation is off there unless somebody set it: "
                "`feature_gates` of the control plane in the fleet file" +
                on,
            place};
  }
  if (!release->is_rough() && *release < version("1.34.2"))
    return {CheckResult::Pass, is + "; the driver's documents want 1.34.2" + on, place};
  return {CheckResult::Pass, is + on, place};
}

CheckFound check_object_versions(const DraInput& input) {
  const Version* release = input.release("kubernetes");
  for (const RemovedObject& one : input.model().removed_objects) {
    if (one.group != "resource.k8s.io" || !one.gone || (release != nullptr && *release < *one.gone)) continue;
    return {release == nullptr ? CheckResult::Unknown : CheckResult::Fail,
            "`" + one.kind + "` of `" + one.api_version + "` is gone since " + one.gone->text(),
            input.place(one.where)};
  }
  std::size_t seen = 0;
  const Manifest* beta = nullptr;  // ResourceSlices are what a server has said
  for (const std::string_view of : {"device_classes", "resource_claims", "resource_slices"}) {
    for (const Manifest* one : input.objects(of)) {
      ++seen;
      const std::optional<Version> until = release_of_api(*one, &DeviceApi::gone);
      const std::optional<Version> since = release_of_api(*one, &DeviceApi::since);
      if (until && of != "resource_slices" && beta == nullptr) beta = one;
      if (release != nullptr && until && *release >= *until)
        return {
            CheckResult::Fail,
            "`" + one->api_version + "` of " + one->kind + " `" + one->name.value + "` is gone since " + until->text(),
            input.place(one->where)};
      if (release != nullptr && since && *release < *since) {
        return {CheckResult::Fail,
                "`" + one->api_version + "` of " + one->kind + " `" + one->name.value + "` is there from " +
                    since->text() + " on, and Kubernetes is `" + release->text() + "`",
                input.place(one->where)};
      }
    }
  }
  if (seen == 0) return {CheckResult::NotNeeded, "no file has a DeviceClass, ResourceClaim or ResourceSlice"};
  if (release == nullptr) return {CheckResult::Unknown, "the release of Kubernetes is not said"};
  if (beta != nullptr && *release >= version("1.34"))
    return {CheckResult::Unknown,
            "`" + beta->api_version + "` of " + beta->kind + " `" + beta->name.value +
                "` is served where the API server was told to (`--runtime-config`); `resource.k8s.io/v1` is always",
            input.place(beta->where)};
  return {CheckResult::Pass, count_of(seen, "object") + " of versions that `" + release->text() + "` serves"};
}

CheckFound check_kubelets(const DraInput& input) {
  std::vector<Said> all;
  for (const Manifest* node : gpu_nodes(input)) add_node(input, *node, text_at(*node, "info", "kubeletVersion"), all);
  const Version* server = input.release("kubernetes");
  const bool beta = server != nullptr && *server < version("1.34") && input.gate() == true;
  return judge(all, version(beta ? "1.32" : "1.34"), "a kubelet of",
               "no file has the nodes: `kubectl get nodes -o yaml > nodes.yaml`");
}

CheckFound check_cdi(const DraInput& input) {
  std::vector<CdiRuntime> all;
  std::vector<Said> pools;
  add_pools(input, "runtime.containerd", pools);
  for (const Said& one : pools) all.push_back({find_device_runtime("containerd"), one});
  for (const Manifest* node : gpu_nodes(input)) add_cdi_runtime(input, *node, all);
  for (const Manifest* policy : input.objects("nvidia_policies")) {
    if (flag_at(*policy, "cdi", {"enabled"}) == false)
      return {CheckResult::Fail, "ClusterPolicy `" + policy->name.value + "` switches CDI off",
              input.place(policy->where)};
  }
  if (all.empty())
    return {CheckResult::Unknown,
            "the release of containerd is not said: `runtime.containerd` of the node pools, or `kubectl get nodes -o "
            "yaml`"};
  const bool toolkit = input.has("nvidia_policies") || input.has("gpu_clusters");
  std::ranges::stable_sort(all, {}, [](const CdiRuntime& one) { return one.said.release; });
  std::optional<CheckFound> worst;
  for (const CdiRuntime& one : all) {
    CheckFound found = judge_cdi(one, toolkit);
    if (!worst || is_worse(found.result, worst->result)) worst = std::move(found);
  }
  return *worst;
}

CheckFound check_gpu_driver(const DraInput& input) {
  std::vector<Said> all;
  add_pools(input, "runtime.driver", all);
  for (const Manifest* node : gpu_nodes(input))
    add_node(input, *node, text_at(*node, "labels", "nvidia.com/cuda.driver-version.full"), all);
  for (const Manifest* policy : input.objects("nvidia_policies")) {
    if (flag_at(*policy, "gpu_driver", {"enabled"}) == false) continue;
    if (const std::optional<Version> release = Version::parse(text_at(*policy, "gpu_driver", "version")))
      all.push_back({*release, "ClusterPolicy `" + policy->name.value + "`", input.place(policy->where)});
  }
  for (const Manifest* driver : input.objects("nvidia_drivers")) {
    if (const std::optional<Version> release = Version::parse(driver->part("version").text()))
      all.push_back({*release, "NVIDIADriver `" + driver->name.value + "`", input.place(driver->where)});
  }
  const bool managed = input.has("gpu_clusters");
  return judge(all,
               version(managed                ? "580"
                       : input.spans_nvlink() ? "570.158.1"
                                              : "565"),
               managed                ? "for a GPUCluster driver"
               : input.spans_nvlink() ? "for ComputeDomains driver"
                                      : "driver",
               "the release of the GPU driver is not said: `runtime.driver` of the node pools");
}

CheckFound check_one_advertiser(const DraInput& input) {
  std::map<std::string, const Manifest*, std::less<>> by_slice;
  for (const Manifest* slice : input.objects("resource_slices")) {
    if (slice->part("publisher").text() == "gpu.nvidia.com") by_slice.emplace(slice->part("node").text(), slice);
  }
  bool by_class = false;
  for (const Manifest* one : input.objects("device_classes"))
    by_class = by_class || one->part("extended_resource").text() == "nvidia.com/gpu";
  for (const Manifest* node : gpu_nodes(input)) {
    const std::string plain = text_at(*node, "allocatable", "nvidia.com/gpu");
    if (plain.empty() || plain == "0" || by_class || !by_slice.contains(node->name.value)) continue;
    return {CheckResult::Fail,
            "node `" + node->name.value + "` has " + plain + " `nvidia.com/gpu` and a ResourceSlice of gpu.nvidia.com",
            input.place(node->where)};
  }
  for (const Manifest* release : input.objects("helm_releases")) {
    if (release->remarks->beside.is_set())
      return {CheckResult::Fail,
              release->kind + " `" + release->name.value +
                  "` installs the DRA driver for GPUs beside the device plugin of " + release->remarks->beside->value,
              input.place(release->where)};
  }
  for (const Manifest* policy : input.objects("nvidia_policies")) {
    const bool off = flag_at(*policy, "device_plugin", {"enabled"}) == false;
    if (off)
      return {CheckResult::Pass, "ClusterPolicy `" + policy->name.value + "` has no device plugin",
              input.place(policy->where)};
  }
  if (!by_slice.empty() && !gpu_nodes(input).empty())
    return {CheckResult::Pass, "no node has both `nvidia.com/gpu` and a ResourceSlice of gpu.nvidia.com"};
  if (input.has("gpu_clusters") && !input.has("nvidia_policies"))
    return {CheckResult::Pass, "a GPUCluster installs no device plugin"};
  return {CheckResult::Unknown,
          "no file says whether a device plugin runs beside it: a ClusterPolicy, or `kubectl get nodes,resourceslices "
          "-o yaml`"};
}

CheckFound check_operator_mode(const DraInput& input) {
  const std::vector<const Manifest*> clusters = input.objects("gpu_clusters");
  const std::vector<const Manifest*> policies = input.objects("nvidia_policies");
  if (!clusters.empty() && !policies.empty())
    return {CheckResult::Fail,
            "GPUCluster `" + clusters.front()->name.value + "` and ClusterPolicy `" + policies.front()->name.value +
                "` are both there",
            input.place(clusters.front()->where)};
  if (!clusters.empty())
    return {CheckResult::Pass, "GPUCluster `" + clusters.front()->name.value + "`",
            input.place(clusters.front()->where)};
  if (!policies.empty())
    return {CheckResult::Pass, "ClusterPolicy `" + policies.front()->name.value + "`",
            input.place(policies.front()->where)};
  return {CheckResult::NotNeeded, "no file has one of them"};
}

CheckFound check_nvlink_labels(const DraInput& input) {
  if (!input.spans_nvlink()) return {CheckResult::NotNeeded, "no NVLink domain spans several nodes"};
  const std::vector<const Manifest*> nodes = gpu_nodes(input);
  for (const Manifest* node : nodes) {
    if (!text_at(*node, "labels", "nvidia.com/gpu.clique").empty()) continue;
    return {CheckResult::Fail, "node `" + node->name.value + "` lacks the label `nvidia.com/gpu.clique`",
            input.place(node->where)};
  }
  if (nodes.empty())
    return {CheckResult::Unknown,
            "no file has the nodes with their label `nvidia.com/gpu.clique`: `kubectl get nodes -o yaml`"};
  return {CheckResult::Pass, count_of(nodes.size(), "node") + " with the label `nvidia.com/gpu.clique`"};
}

}  // namespace muster
