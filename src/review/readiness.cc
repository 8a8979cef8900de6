#include "review/readiness.h"

#include <algorithm>
#include <array>

#include "base/strings.h"

namespace muster {
namespace {

struct CheckRow {
  std::string_view id;
  std::string_view asks;
  bool blocks;
  CheckFound (*look)(const DraInput& input);
  std::string_view source;
};

constexpr std::string_view kDriverDocs =
    "kubernetes-sigs/dra-driver-nvidia-gpu:site/content/docs/prerequisites.md (0.5)";
constexpr std::string_view kOperatorDocs =
    "https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/dra-intro-install.html (26.7)";

constexpr std::array kChecks{
    CheckRow{"api-served", "the API server has resource.k8s.io/v1, and its gate is on", true, check_api_served,
             "kubernetes/website:feature-gates/DynamicResourceAllocation.md (beta and off 1.32, stable 1.34, locked on "
             "1.35)"},
    CheckRow{"object-versions", "objects of resource.k8s.io are of a version that is served", true,
             check_object_versions, "kubernetes/api:resource/*/zz_generated.prerelease-lifecycle.go (1.37)"},
    CheckRow{"kubelets", "the kubelets of the nodes are new enough", true, check_kubelets,
             "https://kubernetes.io/releases/version-skew-policy/"},
    CheckRow{"features", "features that claims use are on", true, check_features,
             "kubernetes/website:feature-gates (1.36)"},
    CheckRow{"cdi", "the container runtime takes devices by CDI", true, check_cdi,
             "containerd/containerd:docs/cri/config.md (CDI: 1.7 enable_cdi, 2.0 on by default)"},
    CheckRow{"gpu-driver", "the GPU driver is new enough", true, check_gpu_driver, kDriverDocs},
    CheckRow{"one-advertiser", "one of device plugin and DRA driver hands out the GPUs of a node", true,
             check_one_advertiser, "kubernetes/enhancements:keps/sig-scheduling/5004-dra-extended-resource/README.md"},
    CheckRow{"operator-mode", "the GPU Operator has a ClusterPolicy or a GPUCluster, not both", true,
             check_operator_mode, "NVIDIA/gpu-operator:controllers/gpucluster_controller.go (26.7)"},
    CheckRow{"scheduler", "the scheduler looks at claims", true, check_scheduler,
             "go.mod and informers of Volcano 1.14, KAI 0.12, Kueue 0.15, YuniKorn 1.9"},
    CheckRow{
        "autoscaler", "the autoscaler makes nodes for pods with claims", false, check_autoscaler,
        "kubernetes/autoscaler:cluster-autoscaler/docs/dra_support.md (1.36)"},
    CheckRow{"nvlink-labels", "nodes say which NVLink domain they are of", true, check_nvlink_labels, kDriverDocs},
    CheckRow{"alpha-features", "nothing is needed that is alpha in the DRA driver", false, check_alpha_features,
             "kubernetes-sigs/dra-driver-nvidia-gpu:pkg/featuregates/featuregates.go (0.5)"},
    CheckRow{"preemption", "nothing rests on preemption by kube-scheduler", false, check_preemption, kOperatorDocs},
    CheckRow{"attribution", "telemetry knows whose pods hold which GPU", false, check_attribution, kOperatorDocs},
};

/// Verdicts of the decision table `dra` by workload: each as often as it is given; open ones are empty.
std::vector<const Choice*> decided(const ReviewSubject& subject) {
  std::vector<const Choice*> out;
  for (const Decision& decision : subject.decisions) {
    for (const NamedChoice& further : decision.choices) {
      if (further.id == "dra") out.push_back(&further.choice);
    }
  }
  return out;
}

bool is_relevant(const DraInput& input) {
  for (const std::string_view of :
       {"compute_domains", "device_classes", "gpu_clusters", "resource_claims", "resource_slices"}) {
    if (input.has(of)) return true;
  }
  const std::vector<const Choice*> choices = decided(input.subject());
  return std::ranges::any_of(choices, [](const Choice* choice) { return choice->value != "none"; });
}

std::string listed_checks(const std::vector<ReviewCheck>& checks, CheckResult result, bool blocks) {
  std::vector<std::string> names;
  for (const ReviewCheck& check : checks) {
    if (check.result == result && check.blocks == blocks) names.push_back("`" + check.id + "`");
  }
  return join(names, ", ");
}

void conclude(const DraInput& input, ReviewReadiness& out) {
  const std::vector<const Choice*> choices = decided(input.subject());
  const auto says = [&](std::string_view verdict) {
    const auto found = std::ranges::find_if(choices, [&](const Choice* choice) { return choice->value == verdict; });
    return found == choices.end() ? nullptr : *found;
  };
  const Choice* stay = says("stay");
  const bool all_stay = stay != nullptr && std::ranges::all_of(choices, [](const Choice* choice) {
                          return choice->value == "stay" || choice->value == "none";
                        });
  const bool all_none =
      !choices.empty() && std::ranges::all_of(choices, [](const Choice* choice) { return choice->value == "none"; });
  const std::string failed = listed_checks(out.checks, CheckResult::Fail, true);
  const std::string held = listed_checks(out.checks, CheckResult::Fail, false);
  const std::string open = listed_checks(out.checks, CheckResult::Unknown, true);
  if (all_stay) {
    out.verdict = "stay";
    out.because = stay->because;
  } else if (all_none) {
    out.verdict = "none";
    out.because = choices.front()->because;
  } else if (!failed.empty()) {
    out.verdict = "blocked";
    out.because = "it fails: " + failed;
  } else if (const Choice* blocked = says("blocked"); blocked != nullptr) {
    out.verdict = "blocked";
    out.because = blocked->because;
  } else if (!open.empty()) {
    out.because = "it is not known: " + open;
  } else if (const Choice* pilot = says("pilot"); !held.empty() || pilot != nullptr) {
    out.verdict = "pilot";
    out.because = held.empty() ? pilot->because : "it fails, and does not keep a try on one pool: " + held;
  } else {
    out.verdict = "ready";
    out.because = "every check that could stand in its way is passed";
  }
}

}  // namespace

const Version* DraInput::release(std::string_view software) const {
  const auto found = subject_.site.targets.find(software);
  return found == subject_.site.targets.end() ? nullptr : &found->second;
}

std::optional<bool> DraInput::gate() const {
  const auto found = subject_.site.facts.find("kubernetes.dynamic_resource_allocation");
  return found == subject_.site.facts.end() ? std::nullopt : std::optional(found->second == "true");
}

std::optional<bool> DraInput::feature_gate(std::string_view name) const {
  const std::optional<bool> stated = stated_gate(name);
  const Version* kubernetes = release("kubernetes");
  if (stated || !platform_ || kubernetes == nullptr) return stated;
  const DevicePlatform* row = platform_row(platform_->id, name, *kubernetes);
  if (row == nullptr || row->has == PlatformGate::AsShipped) return std::nullopt;
  return row->has == PlatformGate::On;
}

std::optional<bool> DraInput::stated_gate(std::string_view name) const {
  const Fleet* fleet = only_fleet(model());
  if (fleet == nullptr) return std::nullopt;
  for (const FleetControlPlane& plane : fleet->control_planes) {
    const auto found = plane.feature_gates.find(std::string(name));
    if (found != plane.feature_gates.end()) return found->second;
  }
  return std::nullopt;
}

ReviewPlace DraInput::place(const Span& where) const { return place_of(where, *subject_.report.sources); }

ReviewPlace DraInput::place_of_plane() const {
  const Fleet* fleet = only_fleet(model());
  if (fleet == nullptr) return {};
  for (const FleetControlPlane& plane : fleet->control_planes) {
    if (plane.kind.value != "slurm")
      return place(plane.version.where.placed() ? plane.version.where : plane.kind.where);
  }
  return {};
}

std::vector<const Manifest*> DraInput::objects(std::string_view collection) const {
  std::vector<const Manifest*> out;
  const ManifestDef* def = &manifest_def(collection);
  for (const Manifest& one : model().manifests) {
    if (one.def == def) out.push_back(&one);
  }
  return out;
}

std::vector<const NodePool*> DraInput::pools() const {
  std::vector<const NodePool*> out;
  const Fleet* fleet = only_fleet(model());
  if (fleet == nullptr) return out;
  for (const NodePool& pool : fleet->node_pools) {
    const Located<FactValue>& plane = pool.fact("control_plane");
    const Located<FactValue>& gpus = pool.fact("gpus_per_node");
    if (plane.known() && std::get<std::string>(plane.value) == "slurm") continue;
    if (!gpus.known() || std::get<std::int64_t>(gpus.value) > 0) out.push_back(&pool);
  }
  return out;
}

bool DraInput::spans_nvlink() const {
  if (has("compute_domains")) return true;
  return std::ranges::any_of(pools(), [](const NodePool* pool) {
    const Located<FactValue>& nodes = pool->fact("fabric.nvlink_domain_nodes");
    return nodes.known() && std::get<std::int64_t>(nodes.value) > 1;
  });
}

bool is_worse(CheckResult a, CheckResult b) {
  const auto rank = [](CheckResult result) {
    return result == CheckResult::Fail ? 2 : result == CheckResult::Unknown ? 1 : 0;
  };
  return rank(a) > rank(b);
}

std::string words_of_platform(const DevicePlatform& row) {
  return std::string(row.name) + " " + std::string(row.says) + " (" + std::string(row.source) + ", " +
         (row.dated ? std::string(row.read)
                    : "read " + std::string(row.read) + ", no date of its own: look it up again") +
         ")";
}

std::string text_at(const Manifest& object, std::string_view part, std::string_view key) {
  const WrittenValue* found = object.part(part).find(key);
  return std::string(found == nullptr || found->state != State::Set ? "" : found->text());
}

std::optional<bool> flag_at(const Manifest& object, std::string_view part,
                            std::initializer_list<std::string_view> path) {
  const WrittenValue* value = &object.part(part);
  for (const std::string_view key : path) {
    value = value->find(key);
    if (value == nullptr) return std::nullopt;
  }
  if (value->state != State::Set || value->kind != WrittenValue::Kind::Bool) return std::nullopt;
  return value->flag;
}

void fill_readiness(const ReviewSubject& subject, Review& review) {
  const DraInput input(subject);
  if (!is_relevant(input)) {
    review.dra.verdict = "none";
    review.dra.because = "no work goes to Kubernetes, and no file claims devices";
    return;
  }
  for (const CheckRow& row : kChecks) {
    CheckFound found = row.look(input);
    review.dra.checks.push_back({std::string(row.id), std::string(row.asks), row.blocks, found.result,
                                 std::move(found.evidence), std::move(found.place), std::string(row.source)});
  }
  conclude(input, review.dra);
}

}  // namespace muster
