#include "gang/pod_template.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/capped.h"
#include "base/strings.h"
#include "gang/manifest.h"
#include "gang/pod_asks.h"
#include "syntax/read_value.h"

namespace muster {
namespace {

constexpr std::size_t kMaxContainers = 1000;

// Sources: the device plugins of each vendor. Shared and sliced forms count: they, too, are held by a pod that waits.
constexpr std::array<std::string_view, 19> kAccelerators{
    "nvidia.com/gpu", "nvidia.com/gpu.shared", "nvidia.com/pgpu", "nvidia.com/GPU",
    // nrp.ai/documentation/userdocs/running/gpu-pods
    "nvidia.com/a100", "nvidia.com/a40", "nvidia.com/gh200", "nvidia.com/rtx8000", "nvidia.com/rtxa6000", "amd.com/gpu",
    "google.com/tpu", "intel.com/gpu", "volcano.sh/vgpu-number", "volcano.sh/gpu-number", "cloud-tpus.google.com/v2",
    "cloud-tpus.google.com/v3", "hygon.com/dcu", "tencent.com/vcuda-core", "aliyun.com/gpu-count"};
constexpr std::array<std::string_view, 17> kAcceleratorBegins{"nvidia.com/mig-",
                                                              "gpu.intel.com/i915",
                                                              "gpu.intel.com/xe",
                                                              "aws.amazon.com/neuron",
                                                              "huawei.com/Ascend",
                                                              "huawei.com/npu",
                                                              "habana.ai/",
                                                              "furiosa.ai/",
                                                              "rebellions.ai/",
                                                              "cambricon.com/",
                                                              "iluvatar.",
                                                              "metax-tech.com/gpu",
                                                              "mthreads.com/gpu",
                                                              "qualcomm.com/qaic",
                                                              "tenstorrent.com/",
                                                              "amd.com/cpx_",
                                                              "deviceclass.resource.kubernetes.io/"};

struct Demand {
  std::int64_t count = 0;
  Span where;
  bool unknown = false;
};
using Demands = std::vector<std::pair<std::string_view, Demand>>;  // sorted by resource: nearly always one

Demand& demand_of(Demands& demands, std::string_view resource) {
  const auto at = std::ranges::lower_bound(demands, resource, {}, &Demands::value_type::first);
  if (at != demands.end() && at->first == resource) return at->second;
  return demands.emplace(at, resource, Demand{})->second;
}

/// An accelerator whose request has no limit, or another one: the API server refuses it.
/// Source: kubernetes/kubernetes:pkg/apis/core/validation/validation.go (1.37).
void find_unlimited(const Node& resources, Located<std::string>& out, std::vector<Finding>& findings) {
  const Node requests = resources["requests"];
  for (std::size_t i = 0; requests.is_mapping() && i < std::min(requests.size(), kMaxContainers) && !out.is_set();
       ++i) {
    const std::string_view resource = requests.key(i).text();
    if (!is_accelerator(resource)) continue;
    const Located<Quantity> request = read_quantity(requests.value(i), "requests", findings);
    const Located<Quantity> limit = read_quantity(resources["limits"][resource], "limits", findings);
    const bool different =
        request.known() && (limit.state == State::Absent || (limit.known() && limit.value != request.value));
    if (different) out = set_to(std::string(resource), requests.value(i).where(), "requests");
  }
}

/// requests[r] ?? limits[r] for each accelerator r of one container's resources.
Demands demands_of(const Node& both, std::vector<Finding>& findings) {
  Demands demands;
  for (const std::string_view list : {"limits", "requests"}) {  // requests win, so they come last
    const Node resources = amounts_in(both, list);
    for (std::size_t i = 0; resources.is_mapping() && i < resources.size(); ++i) {
      const std::string_view resource = resources.key(i).text();
      if (!is_accelerator(resource)) continue;
      const Located<Quantity> amount = read_quantity(resources.value(i), "resources", findings);
      const bool negative = amount.known() && amount.value < Quantity{};
      if (negative)
        findings.push_back(problem("field-type", resources.value(i).where(),
                                   "`" + std::string(resource) + "`: expected a quantity that is not negative, got " +
                                       describe(resources.value(i))));
      demand_of(demands, resource) = {add_capped(amount.value.whole, amount.value.nano > 0 ? 1 : 0),
                                      resources.value(i).where(), !amount.known() || negative};
    }
  }
  return demands;
}

void add(Demands& total, const Demands& more) {
  for (const auto& [resource, demand] : more) {
    Demand& sum = demand_of(total, resource);
    sum.count = add_capped(sum.count, demand.count);
    sum.unknown = sum.unknown || demand.unknown;
    if (!sum.where.placed()) sum.where = demand.where;
  }
}

void take_maximum(Demands& total, const Demands& more) {
  for (const auto& [resource, demand] : more) {
    Demand& best = demand_of(total, resource);
    if (demand.count <= best.count && !demand.unknown) continue;
    best = {std::max(best.count, demand.count), demand.where, best.unknown || demand.unknown};
  }
}

/// Calls `visit` with each container of a list.
template <class Visit>
void each_container(const Node& list, Visit visit) {
  for (std::size_t i = 0; list.is_sequence() && i < std::min(list.size(), kMaxContainers); ++i) visit(list.item(i));
}

/// With the containers that a kind writes outside of the PodSpec.
template <class Visit>
void each_main_container(const PodTemplate& pod_template, Visit visit) {
  each_container(pod_template.spec["containers"], visit);
  for (std::size_t i = 0; i < std::min(pod_template.containers.size(), kMaxContainers); ++i)
    visit(pod_template.containers[i]);
}

/// Calls `visit` with the limits and requests of each container that runs as long as the pod, and of what is laid over
/// it.
template <class Visit>
void each_resources(const PodTemplate& pod_template, Visit visit) {
  for (const Node& resources : pod_template.resources) visit(resources);
  if (pod_template.resources_win) return;
  each_main_container(pod_template, [&](const Node& container) { visit(container["resources"]); });
  for (const ContainerPatch& patch : pod_template.patches) visit(patch.container["resources"]);
}

/// Of a container with what is laid over it: resource by resource the last one that says it counts.
Demands patched_demands(const PodTemplate& pod_template, const Node& container, std::vector<Finding>& findings) {
  Demands out = demands_of(container["resources"], findings);
  for (const ContainerPatch& patch : pod_template.patches) {
    if (!is_patched_by(container, patch)) continue;
    for (const auto& [resource, demand] : demands_of(patch.container["resources"], findings))
      demand_of(out, resource) = demand;
  }
  return out;
}

void judge_environment(const Node& container, CouplingEvidence& out) {
  each_container(container["env"], [&](const Node& variable) {
    const std::string_view name = variable["name"].text();
    if (!is_rendezvous_variable(name) || out.verdict == CouplingEvidence::Verdict::Coupled) return;
    const std::string_view value = variable["value"].text();
    const bool alone =
        value == "1" || value == "localhost" || value.starts_with("localhost:") || value.starts_with("127.0.0.1");
    if (!alone)
      out = {CouplingEvidence::Verdict::Coupled, out.elastic,       out.fixed,
             variable["name"].where(),           std::string(name), out.least};
  });
}

std::string text_of_command(const Node& container, Span& where) {
  std::string text;
  for (const std::string_view list : {"command", "args"}) {
    const Node words = container[list];
    for (std::size_t i = 0; words.is_sequence() && i < std::min(words.size(), kMaxContainers); ++i) {
      if (!words.item(i).is_scalar()) continue;
      if (!where.placed()) where = words.item(i).where();
      text += words.item(i).text();
      text += ' ';
    }
    if (words.is_scalar()) {
      if (!where.placed()) where = words.where();
      text += words.text();
      text += ' ';
    }
  }
  // Comment lines of embedded scripts prove nothing.
  std::string out;
  for (const std::string_view line : split(text, '\n')) {
    if (trim(line).starts_with('#')) continue;
    out += line;
    out += '\n';
  }
  return out;
}

}  // namespace

bool is_accelerator(std::string_view resource) {
  if (std::ranges::find(kAccelerators, resource) != kAccelerators.end()) return true;
  return std::ranges::any_of(kAcceleratorBegins, [&](std::string_view begin) { return resource.starts_with(begin); });
}

std::string accelerator_pattern() {
  const auto literal = [](std::string_view name) {
    std::string out;
    for (const char c : name) out += c == '.' ? "[.]" : std::string(1, c);
    return out;
  };
  std::vector<std::string> names;
  for (const std::string_view name : kAccelerators) names.push_back(literal(name) + "$");
  for (const std::string_view name : kAcceleratorBegins) names.push_back(literal(name));
  return "^(" + join(names, "|") + ")";
}

bool names_accelerator(std::string_view text) {
  constexpr std::string_view kEnds = " \t\r\n\"'{},[]:";
  for (std::size_t slash = text.find('/'); slash != text.npos; slash = text.find('/', slash + 1)) {
    constexpr std::size_t kLongest = 100;
    const std::string_view before = text.substr(slash > kLongest ? slash - kLongest : 0, std::min(slash, kLongest));
    const std::size_t begin = before.find_last_of(kEnds) + 1;
    const std::string_view behind = text.substr(slash, kLongest);
    const std::string word =
        std::string(before.substr(begin)) + std::string(behind.substr(0, behind.find_first_of(kEnds)));
    if (is_accelerator(word)) return true;
  }
  return false;
}

Node amounts_in(const Node& resources, std::string_view list) {
  const bool bare = resources.is_mapping() && !resources["limits"].exists() && !resources["requests"].exists();
  return bare && list == "limits" ? resources : resources[list];
}

PodAccelerators read_accelerators(const PodTemplate& pod_template, std::vector<Finding>& findings) {
  const Node& pod_spec = pod_template.spec;
  Demands total;
  Demands initial;
  for (const Node& resources : pod_template.resources) add(total, demands_of(resources, findings));
  const auto add_container = [&](const Node& container) {
    add(total, patched_demands(pod_template, container, findings));
  };
  if (!pod_template.resources_win) {
    each_main_container(pod_template, add_container);
    for (const Node& container : added_containers(pod_template)) add_container(container);
  }
  // Source: kubernetes/component-helpers:resource/helpers.go (1.36), AggregateContainerRequests.
  Demands beside;  // of those that stay, which run beside each that comes after them
  each_container(pod_spec["initContainers"], [&](const Node& container) {
    Demands more = patched_demands(pod_template, container, findings);
    const bool stays = container["restartPolicy"].text() == "Always";
    if (stays) add(total, more);
    if (stays) add(beside, more);
    if (!stays) add(more, beside);
    take_maximum(initial, stays ? beside : more);
  });
  take_maximum(total, initial);
  std::erase_if(total, [](const auto& entry) { return entry.second.count == 0 && !entry.second.unknown; });

  PodAccelerators out;
  each_resources(pod_template, [&](const Node& resources) { find_unlimited(resources, out.unlimited, findings); });
  const Span place = pod_spec.key_where();
  if (total.empty()) {
    // Devices of a claim may be accelerators; how many, the claim's template says.
    const Node claims = pod_spec["resourceClaims"];
    out.count = defaulted_to<std::int64_t>(0, place, "resources");
    if (claims.is_sequence() && claims.size() > 0) {
      out.count = unknown_until<std::int64_t>("the devices that the ResourceClaim asks for", claims.key_where(),
                                              "resourceClaims");
    }
    out.resource.where = place;
    return out;
  }
  for (const auto& [resource, demand] : total) {
    Devices devices{set_to(std::string(resource), demand.where, "resources"),
                    set_to(demand.count, demand.where, "resources")};
    if (demand.unknown)
      devices.count =
          unknown_until<std::int64_t>("a value for `" + std::string(resource) + "`", demand.where, "resources");
    if (out.resource.is_set()) {
      out.more.push_back(std::move(devices));
      continue;
    }
    out.resource = std::move(devices.resource);
    out.count = std::move(devices.count);
  }
  return out;
}

bool is_patched_by(const Node& container, const ContainerPatch& patch) {
  const std::string_view name = container["name"].text();
  return (name.empty() ? std::string_view("main") : name) == patch.name;
}

std::vector<Node> added_containers(const PodTemplate& pod_template) {
  std::vector<Node> out;
  if (pod_template.patches.empty()) return out;
  std::vector<std::string_view> known;
  const auto know = [&](const Node& container) {
    const std::string_view name = container["name"].text();
    known.push_back(name.empty() ? std::string_view("main") : name);
  };
  each_main_container(pod_template, know);
  each_container(pod_template.spec["initContainers"], know);
  for (const ContainerPatch& patch : pod_template.patches) {
    if (std::ranges::find(known, patch.name) != known.end()) continue;
    known.push_back(patch.name);
    out.push_back(patch.container);
  }
  return out;
}

Node PodTemplate::field(std::string_view key) const {
  Node out = spec[key];
  for (const Node& patch : spec_patches) {
    if (patch[key].exists() && !patch[key].is_null()) out = patch[key];
  }
  return out;
}

std::vector<Node> PodTemplate::layers() const {
  std::vector<Node> out{spec};
  out.insert(out.end(), spec_patches.begin(), spec_patches.end());
  return out;
}

CouplingEvidence read_coupling(const PodTemplate& pod_template) {
  CouplingEvidence out;
  each_main_container(pod_template, [&](const Node& container) {
    Span where;
    const std::string text = text_of_command(container, where);
    judge_command(text, where, MpiHosts::ThisOne, out);
    judge_environment(container, out);
  });
  for (const ContainerPatch& patch : pod_template.patches) {
    Span where;
    const std::string text = text_of_command(patch.container, where);
    judge_command(text, where, MpiHosts::ThisOne, out);
    judge_environment(patch.container, out);
  }
  return out;
}

Span lone_program_in(const std::vector<PodTemplate>& templates) {
  Span first;
  bool all = true;
  for (const PodTemplate& pod_template : templates) {
    each_main_container(pod_template, [&](const Node& container) {
      Span where;
      const std::string text = text_of_command(container, where);
      if (!where.placed()) return;
      if (!first.placed()) first = where;
      all = all && is_lone_program(text);
    });
  }
  return all ? first : Span{};
}

Located<std::string> joined_ray_head(const PodTemplate& pod_template) {
  Located<std::string> out;
  each_main_container(pod_template, [&](const Node& container) {
    Span where;
    const std::string text = text_of_command(container, where);
    if (!contains(text, "ray start") || find_word(text, "--head") != text.npos) return;
    const std::string_view address = option_value(text, "--address");
    const std::string_view host = address.substr(0, address.find(':'));
    const bool written = !host.empty() && host != "auto" && host.find_first_of("${<") == host.npos;
    if (written) out = set_to(std::string(host), where, "command");
  });
  return out;
}

Role read_role(const PodTemplate& pod_template, Located<std::string> name, std::vector<Finding>& findings) {
  const Node& pod_spec = pod_template.spec;
  Role role;
  role.where = name.where;
  role.name = std::move(name);
  PodAccelerators accelerators = read_accelerators(pod_template, findings);
  role.gpus_each = std::move(accelerators.count);
  role.accelerator = std::move(accelerators.resource);
  role.more_devices = std::move(accelerators.more);
  role.unlimited = std::move(accelerators.unlimited);
  role.scheduler = read_text(pod_template.field("schedulerName"), "schedulerName", findings);
  role.picks_nodes = std::ranges::any_of(pod_template.layers(), [](const Node& spec) {
    return spec["nodeSelector"].size() > 0 || spec["affinity"].exists();
  });
  role.priority_class = read_text(pod_template.field("priorityClassName"), "priorityClassName", findings);
  read_pod_asks(pod_template, role);
  check_marks(pod_template.metadata, findings);
  const Node labels = pod_template.metadata["labels"];
  for (std::size_t i = 0; labels.is_mapping() && i < labels.size(); ++i)
    role.labels[std::string(labels.key(i).text())] = labels.value(i).text();
  for (const std::string_view list : {"initContainers", "containers"}) {
    each_container(pod_spec[list], [&](const Node& container) {
      each_container(container["env"],
                     [&](const Node& variable) { require_text(variable["value"], "env.value", findings); });
    });
  }
  return role;
}

}  // namespace muster
