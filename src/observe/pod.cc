#include "observe/pod.h"

#include <algorithm>

#include "base/capped.h"
#include "base/quantity.h"
#include "base/strings.h"
#include "gang/membership.h"
#include "gang/pod_template.h"

namespace muster {
namespace {

using Sums = std::map<std::uint32_t, std::int64_t>;

std::optional<std::int64_t> amount_of(std::string_view resource, const Node& value, bool up) {
  const std::optional<Quantity> quantity = value.is_scalar() ? Quantity::parse(value.text()) : std::nullopt;
  if (!quantity || quantity->whole < 0) return std::nullopt;
  constexpr std::int64_t kNanoOfMilli = 1'000'000;
  if (resource == "cpu")
    return add_capped(multiply_capped(quantity->whole, 1000),
                      (quantity->nano + (up ? kNanoOfMilli - 1 : 0)) / kNanoOfMilli);
  return add_capped(quantity->whole, up && quantity->nano > 0 ? 1 : 0);
}

/// requests[r] ?? limits[r]
Sums asks_of(const Node& resources, Interner& names) {
  Sums out;
  for (const std::string_view list : {"limits", "requests"}) {  // requests win, so they come last
    const Node amounts = resources[list];
    for (std::size_t i = 0; amounts.is_mapping() && i < amounts.size(); ++i) {
      const std::string_view name = amounts.key(i).text();
      if (const auto amount = amount_of(name, amounts.value(i), true)) out[names.number_of(name)] = *amount;
    }
  }
  return out;
}

void add(Sums& to, const Sums& more) {
  for (const auto& [name, amount] : more) to[name] = add_capped(to[name], amount);
}

/// Source: kubernetes/kubernetes:pkg/api/v1/resource/helpers.go, PodRequests (1.37).
Asks asks_of_pod(const Node& spec, Interner& names) {
  Sums sum;
  Sums first;
  const Node containers = spec["containers"];
  for (std::size_t i = 0; containers.is_sequence() && i < containers.size(); ++i)
    add(sum, asks_of(containers.item(i)["resources"], names));
  const Node initial = spec["initContainers"];
  for (std::size_t i = 0; initial.is_sequence() && i < initial.size(); ++i) {
    const Sums one = asks_of(initial.item(i)["resources"], names);
    if (initial.item(i)["restartPolicy"].text() == "Always") {
      add(sum, one);
    } else {
      for (const auto& [name, amount] : one) first[name] = std::max(first[name], amount);
    }
  }
  for (const auto& [name, amount] : first) sum[name] = std::max(sum[name], amount);
  for (const auto& [name, amount] : asks_of(spec["resources"], names)) sum[name] = amount;  // of the pod as a whole
  const Node overhead = spec["overhead"];
  for (std::size_t i = 0; overhead.is_mapping() && i < overhead.size(); ++i) {
    const std::string_view name = overhead.key(i).text();
    if (const auto amount = amount_of(name, overhead.value(i), true))
      sum[names.number_of(name)] = add_capped(sum[names.number_of(name)], *amount);
  }
  sum[names.number_of("pods")] = 1;
  Asks out;
  for (const auto& [name, amount] : sum) {
    if (amount > 0) out.emplace_back(name, amount);
  }
  return out;
}

PodState state_of(const Node& pod) {
  const std::string_view phase = pod["status"]["phase"].text();
  if (phase == "Succeeded") return PodState::Done;
  if (phase == "Failed") return PodState::Failed;
  if (!pod["metadata"]["deletionTimestamp"].text().empty()) return PodState::Leaving;
  return pod["spec"]["nodeName"].text().empty() ? PodState::Pending : PodState::Bound;
}

void read_condition(const Node& pod, PodRecord& out) {
  const Node conditions = pod["status"]["conditions"];
  for (std::size_t i = 0; conditions.is_sequence() && i < conditions.size(); ++i) {
    const Node one = conditions.item(i);
    if (one["type"].text() != "PodScheduled" || one["status"].text() != "False") continue;
    out.reason = one["reason"].text();
    out.message = one["message"].text().substr(0, kMessageKept);
  }
  const Node gates = pod["spec"]["schedulingGates"];
  if (gates.is_sequence() && gates.size() > 0) {
    out.reason = "SchedulingGated";
    out.message = "SchedulingGated: " + std::string(gates.item(0)["name"].text().substr(0, kMessageKept));
  }
}

bool take_size(const Node& annotations, std::string_view key, PodRecord& out) {
  const auto size = parse_int(annotations[key].text());
  if (!size || *size < 1) return false;
  out.size = size;
  out.size_from = "annotation " + std::string(key);
  return true;
}

/// What the pod itself says about the size of its gang.
void read_size(const Node& pod, PodRecord& out) {
  const Node annotations = pod["metadata"]["annotations"];
  if (out.owner.row != nullptr && take_size(annotations, out.owner.row->pods.size_annotation, out)) return;
  if (!out.group) return;
  if (take_size(annotations, out.group->mark->total, out)) return;
  for (const Mark& min : out.group->row->min) {
    if (min.on == Mark::On::Template && take_size(annotations, min.key, out)) return;
  }
}

/// The training operator writes PET_NNODES=MIN:MAX into the pods of an elastic PyTorchJob.
/// Source: kubeflow/trainer tag v1.9.4:pkg/controller.v1/pytorch/elastic.go.
bool is_elastic_by_operator(const Node& spec) {
  const Node containers = spec["containers"];
  for (std::size_t i = 0; containers.is_sequence() && i < containers.size(); ++i) {
    const Node env = containers.item(i)["env"];
    for (std::size_t v = 0; env.is_sequence() && v < env.size(); ++v) {
      if (env.item(v)["name"].text() != "PET_NNODES") continue;
      const std::vector<std::string_view> bounds = split(env.item(v)["value"].text(), ':');
      return bounds.size() == 2 && bounds[0] != bounds[1];
    }
  }
  return false;
}

void read_coupling_of(const Node& spec, PodRecord& out) {
  if (is_elastic_by_operator(spec)) {
    out.coupling = Coupling::Elastic;
    out.coupling_why = "PET_NNODES";
    return;
  }
  const CouplingEvidence evidence = read_coupling(PodTemplate{{}, spec, {}, {}, false, {}, {}});
  if (evidence.verdict == CouplingEvidence::Verdict::None) return;
  out.coupling_why = evidence.what;
  out.coupling = evidence.verdict == CouplingEvidence::Verdict::Independent ? Coupling::Independent
                 : evidence.elastic                                         ? Coupling::Elastic
                                                                            : Coupling::Coupled;
}

}  // namespace

std::uint32_t Interner::number_of(std::string_view text) {
  const auto found = numbers_.find(text);
  if (found != numbers_.end()) return found->second;
  const auto number = static_cast<std::uint32_t>(texts_.size());
  texts_.push_back(&numbers_.emplace(text, number).first->first);
  return number;
}

Asks read_amounts(const Node& list, Interner& resources) {
  Asks out;
  for (std::size_t i = 0; list.is_mapping() && i < list.size(); ++i) {
    const std::string_view name = list.key(i).text();
    if (const auto amount = amount_of(name, list.value(i), false)) out.emplace_back(resources.number_of(name), *amount);
  }
  std::ranges::sort(out);
  return out;
}

PodRecord read_pod(const Node& pod, const KnownRows& known, Interner& resources) {
  const Node metadata = pod["metadata"];
  const Node spec = pod["spec"];
  PodRecord out;
  out.space = metadata["namespace"].text().empty() ? "default" : metadata["namespace"].text();
  out.name = metadata["name"].text();
  out.node = spec["nodeName"].text();
  out.state = state_of(pod);
  out.owner = read_owner(pod, known);
  out.group = read_membership(pod, known.schedulers);
  out.asks = asks_of_pod(spec, resources);
  for (const auto& [resource, amount] : out.asks) {
    if (is_accelerator(resources.text_of(resource))) out.gpus = add_capped(out.gpus, amount);
  }
  const Node claims = spec["resourceClaims"];
  const Node annotations = metadata["annotations"];
  const bool shares =
      annotations["gpu-fraction"].exists() || annotations["gpu-memory"].exists();  // KAI: a part of a GPU
  out.gpus_known = out.gpus > 0 || !(shares || (claims.is_sequence() && claims.size() > 0));
  read_coupling_of(spec, out);
  if (out.owner.by_kind && out.coupling != Coupling::Elastic)
    out.coupling = Coupling::Coupled, out.coupling_why = out.owner.kind;
  read_size(pod, out);
  out.queue =
      queue_of_pod(PodTemplate::of(pod), out.owner.row != nullptr && out.owner.object.empty(), known.schedulers);
  if (out.state != PodState::Pending) return out;
  read_condition(pod, out);
  out.choice = read_node_choice(spec);
  return out;
}

}  // namespace muster
