#include "gang/pod_asks.h"

#include <algorithm>
#include <map>

#include "base/capped.h"
#include "base/quantity.h"
#include "base/strings.h"
#include "gang/pod_template.h"
#include "syntax/read_value.h"

namespace muster {
namespace {

constexpr std::size_t kMostAskers = 1000;  // containers
constexpr std::int64_t kMostMilliCpus = 1'000'000'000;
constexpr std::int64_t kMostBytes = std::int64_t{1} << 50;

void want(Role& role, std::string what) {
  if (std::ranges::find(role.wants, what) == role.wants.end()) role.wants.push_back(std::move(what));
}

/// requests[r] ?? limits[r]
Requests requests_in(const Node& both) {
  Requests out;
  for (const std::string_view list : {"limits", "requests"}) {
    const Node resources = amounts_in(both, list);
    for (std::size_t i = 0; resources.is_mapping() && i < resources.size(); ++i) {
      out[std::string(resources.key(i).text())] =
          resources.value(i).is_scalar() ? Quantity::parse(resources.value(i).text()) : std::nullopt;
    }
  }
  return out;
}

/// Of a container with what is laid over it.
Requests requests_of(const PodTemplate& pod_template, const Node& container) {
  Requests out = requests_in(container["resources"]);
  for (const ContainerPatch& patch : pod_template.patches) {
    if (!is_patched_by(container, patch)) continue;
    for (const auto& [resource, amount] : requests_in(patch.container["resources"])) out[resource] = amount;
  }
  return out;
}

void join_requests(Requests& total, const Requests& more, bool sum) {
  for (const auto& [resource, amount] : more) {
    const auto [place, fresh] = total.try_emplace(resource, amount);
    if (fresh) continue;
    std::optional<Quantity>& have = place->second;
    if (!have || !amount) {
      have.reset();
    } else {
      have = sum ? *have + *amount : std::max(*have, *amount);
    }
  }
}

void read_ports(const Node& pod_spec, const Node& container, Role& role) {
  const Node ports = container["ports"];
  for (std::size_t i = 0; ports.is_sequence() && i < std::min(ports.size(), kMostAskers); ++i) {
    if (ports.item(i)["hostPort"].exists() || is_true(pod_spec["hostNetwork"])) want(role, "host ports");
  }
}

void keep_requests(const Requests& total, Role& role) {
  for (const auto& [resource, amount] : total) {
    // Counted is the accelerator that the role is known by.
    if (resource == role.accelerator.value || (amount && *amount == Quantity{})) continue;
    const bool fine = amount && amount->whole >= 0 && amount->nano >= 0;
    if (resource == "cpu" && fine && amount->whole < kMostMilliCpus / 1000) {
      role.milli_cpus_each = amount->whole * 1000 + (amount->nano + 999'999) / 1'000'000;
    } else if (resource == "memory" && fine && amount->whole < kMostBytes) {
      role.memory_each = amount->whole + (amount->nano > 0 ? 1 : 0);
    } else {
      want(role, resource == "cpu" ? "CPUs" : resource == "memory" ? "memory" : "`" + resource + "`");
    }
  }
}

}  // namespace

Requests requests_of_pod(const PodTemplate& pod_template) {
  const Node& pod_spec = pod_template.spec;
  Requests total;
  Requests initial;
  for (const Node& resources : pod_template.resources) join_requests(total, requests_in(resources), true);
  if (!pod_template.resources_win) {
    for (const Node& container : pod_template.containers)
      join_requests(total, requests_of(pod_template, container), true);
    for (const Node& container : added_containers(pod_template))
      join_requests(total, requests_in(container["resources"]), true);
  }
  for (const std::string_view list : {"containers", "initContainers"}) {
    const Node containers = pod_spec[list];
    for (std::size_t i = 0; containers.is_sequence() && i < std::min(containers.size(), kMostAskers); ++i) {
      const Node container = containers.item(i);
      const bool runs_on = list == "containers" || container["restartPolicy"].text() == "Always";
      if (runs_on && pod_template.resources_win) continue;
      join_requests(runs_on ? total : initial, requests_of(pod_template, container), runs_on);
    }
  }
  join_requests(total, initial, false);
  return total;
}

void read_pod_asks(const PodTemplate& pod_template, Role& role) {
  const Node& pod_spec = pod_template.spec;
  for (const Node& container : pod_template.containers) read_ports(pod_spec, container, role);
  for (const std::string_view list : {"containers", "initContainers"}) {
    const Node containers = pod_spec[list];
    for (std::size_t i = 0; containers.is_sequence() && i < std::min(containers.size(), kMostAskers); ++i)
      read_ports(pod_spec, containers.item(i), role);
  }
  const Requests total = requests_of_pod(pod_template);
  role.best_effort = total.empty() && pod_spec["containers"].size() > 0 && !pod_spec["resources"].exists() &&
                     !pod_spec["resourceClaims"].exists();
  keep_requests(total, role);
  for (const Node& layer : pod_template.layers()) {
    const Node selector = layer["nodeSelector"];
    for (std::size_t i = 0; selector.is_mapping() && i < selector.size(); ++i)
      role.node_selector[std::string(selector.key(i).text())] = selector.value(i).text();
  }
  const Node affinity = pod_template.field("affinity");
  for (const std::string_view kind : {"nodeAffinity", "podAffinity", "podAntiAffinity"}) {
    if (affinity[kind]["requiredDuringSchedulingIgnoredDuringExecution"].size() > 0) want(role, "affinity");
  }
  if (affinity.exists() && !affinity.is_mapping() && !affinity.is_null()) want(role, "affinity");
  const Node spread = pod_spec["topologySpreadConstraints"];
  for (std::size_t i = 0; spread.is_sequence() && i < spread.size(); ++i) {
    if (spread.item(i)["whenUnsatisfiable"].text() != "ScheduleAnyway") want(role, "topology spread");
  }
  if (pod_spec["schedulingGates"].size() > 0) want(role, "the end of its scheduling gates");
  if (role.accelerator.is_set() && pod_spec["resourceClaims"].size() > 0)
    want(role, "the devices of its ResourceClaims");
  if (pod_spec["nodeName"].exists() && !pod_spec["nodeName"].is_null()) want(role, "the node it names");
  if (pod_spec["resources"].size() > 0) want(role, "resources of the whole pod");
  if (pod_spec["overhead"].size() > 0) want(role, "overhead");
  const Node tolerations = pod_template.field("tolerations");
  for (std::size_t i = 0; tolerations.is_sequence() && i < std::min(tolerations.size(), kMostAskers); ++i) {
    const Node one = tolerations.item(i);
    const std::string_view word = one["operator"].text();
    const bool exists = word == "Exists";
    // Others compare numbers, which is not looked at.
    if (exists || (one["key"].exists() && (word.empty() || word == "Equal")))
      role.tolerations.push_back({std::string(one["key"].text()), std::string(one["value"].text()),
                                  std::string(one["effect"].text()), exists});
  }
}

}  // namespace muster
