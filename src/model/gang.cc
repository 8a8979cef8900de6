#include "model/gang.h"

#include <algorithm>
#include <optional>
#include <set>

#include "base/capped.h"

namespace muster {
namespace {

/// The first that is written says where the sum stands, the first that is unknown what it needs.
void add_to(Located<std::int64_t>& total, const Located<std::int64_t>& part) {
  if (total.unknown()) return;
  const std::int64_t value = add_capped(total.value, part.value);
  if (part.unknown() || (part.is_set() && !total.is_set())) total = part;
  total.value = value;
}

template <class Pick>
Located<std::int64_t> sum(const std::vector<Role>& roles, Span where, Pick pick) {
  Located<std::int64_t> total = defaulted_to<std::int64_t>(0, where);
  for (const Role& role : roles) {
    if (const std::optional<Located<std::int64_t>> part = pick(role)) add_to(total, *part);
  }
  return total;
}

/// count x gpus_each; unknown when either is, and zero whatever the other says when one is zero.
Located<std::int64_t> product(const Located<std::int64_t>& count, const Located<std::int64_t>& each) {
  if (count.known() && count.value == 0) return count;
  if (each.known() && each.value == 0) return each;
  if (count.unknown()) return count;
  if (each.unknown()) return each;
  Located<std::int64_t> out = each.is_set() ? each : count;
  out.value = multiply_capped(count.value, each.value);
  return out;
}

/// Pods of the role that are not placed apart: of sets that are, the instances that the gang needs.
Located<std::int64_t> together_of(const Gang& gang, const Role& role) {
  Located<std::int64_t> out = role.count;
  for (std::optional<std::size_t> at = role.pod_set; at; at = gang.pod_sets[*at].parent) {
    const PodSet& set = gang.pod_sets[*at];
    if (!set.apart || set.min_instances.state == State::Absent) continue;
    if (set.instances.unknown()) return set.instances;
    if (set.min_instances.unknown()) return set.min_instances;
    if (out.known() && set.instances.value > 0)
      out.value = out.value / set.instances.value * std::min(set.instances.value, set.min_instances.value);
  }
  return out;
}

void fill_sizes(Gang& gang) {
  for (PodSet& set : gang.pod_sets) set.size = defaulted_to<std::int64_t>(0, set.where);
  for (const Role& role : gang.roles) {
    for (std::optional<std::size_t> at = role.pod_set; at; at = gang.pod_sets[*at].parent)
      add_to(gang.pod_sets[*at].size, role.count);
  }
  for (std::size_t i = 0; i < gang.pod_sets.size(); ++i) {
    PodSet& set = gang.pod_sets[i];
    const Located<std::int64_t> times = instances_of(gang, i);
    if (!set.size.known()) continue;
    if (times.unknown()) {
      set.size = times;
    } else if (times.value > 0) {
      set.size.value /= times.value;
    }
  }
}

/// Accelerators of the guaranteed pods where the least of each role are just those.
std::optional<Located<std::int64_t>> gpus_of_least(const Gang& gang) {
  std::int64_t pods = 0;
  Located<std::int64_t> gpus = defaulted_to<std::int64_t>(0, gang.where);
  for (const Role& role : gang.roles) {
    if (!role.min.known() || !role.gpus_each.known()) return std::nullopt;
    pods = add_capped(pods, role.min.value);
    gpus.value = add_capped(gpus.value, multiply_capped(role.min.value, role.gpus_each.value));
  }
  return gang.guaranteed.known() && pods == gang.guaranteed.value ? std::optional(gpus) : std::nullopt;
}

/// What devices of a resource are called: all names that begin so.
struct DeviceWord {
  std::string_view begin;
  std::string_view one;
  std::string_view many;
};
constexpr DeviceWord kDeviceWords[] = {
    {"google.com/tpu", "TPU chip", "TPU chips"},
    {"cloud-tpus.google.com/", "TPU chip", "TPU chips"},
    {"aws.amazon.com/neuroncore", "NeuronCore", "NeuronCores"},
    {"aws.amazon.com/neuron", "Neuron device", "Neuron devices"},
    {"habana.ai/", "Gaudi accelerator", "Gaudi accelerators"},
    {"huawei.com/", "NPU", "NPUs"},
    {"furiosa.ai/", "NPU", "NPUs"},
    {"rebellions.ai/", "NPU", "NPUs"},
    {"cambricon.com/", "MLU", "MLUs"},
    {"qualcomm.com/qaic", "Cloud AI 100 accelerator", "Cloud AI 100 accelerators"},
    {"tenstorrent.com/", "Tenstorrent card", "Tenstorrent cards"},
    {"gpu-fraction", "share of a GPU", "shares of GPUs"},
    {"gpu-memory", "share of a GPU", "shares of GPUs"},
    {"", "GPU", "GPUs"},
};

}  // namespace

std::string devices_in_words(std::string_view resource, std::int64_t count) {
  for (const DeviceWord& word : kDeviceWords) {
    if (resource.starts_with(word.begin))
      return std::to_string(count) + " " + std::string(count == 1 ? word.one : word.many);
  }
  return std::to_string(count);
}

Located<std::int64_t> instances_of(const Gang& gang, std::size_t pod_set) {
  Located<std::int64_t> out = defaulted_to<std::int64_t>(1, gang.pod_sets[pod_set].where);
  for (std::optional<std::size_t> at = pod_set; at; at = gang.pod_sets[*at].parent) {
    const Located<std::int64_t>& instances = gang.pod_sets[*at].instances;
    if (instances.unknown()) return instances;
    if (instances.known()) out.value = multiply_capped(out.value, instances.value);
  }
  return out;
}

bool is_within(const Gang& gang, std::size_t pod_set, std::size_t outer) {
  for (std::optional<std::size_t> at = pod_set; at; at = gang.pod_sets[*at].parent) {
    if (*at == outer) return true;
  }
  return false;
}

Located<std::int64_t> total_of(const Gang& gang) {
  return sum(gang.roles, gang.where, [](const Role& role) { return std::optional(role.count); });
}

void fill_sums(Gang& gang) {
  fill_sizes(gang);
  gang.size = total_of(gang);
  gang.essential = sum(gang.roles, gang.where, [&](const Role& role) {
    return role.helper ? std::nullopt : std::optional(together_of(gang, role));
  });
  gang.accelerator_pods = sum(gang.roles, gang.where, [](const Role& role) {
    const bool asks = role.accelerator.is_set() || role.gpus_each.unknown() || role.gpus_each.value > 0;
    return asks ? std::optional(role.count) : std::nullopt;
  });
  gang.gpus =
      sum(gang.roles, gang.where, [](const Role& role) { return std::optional(product(role.count, role.gpus_each)); });
  std::set<std::string> resources;
  std::set<std::int64_t> sizes;
  bool sizes_known = true;
  for (const Role& role : gang.roles) {
    if (role.accelerator.is_set()) {
      resources.insert(role.accelerator.value);
      if (!gang.accelerator.is_set()) gang.accelerator = role.accelerator;
    }
    sizes_known = sizes_known && role.gpus_each.known();
    sizes.insert(role.gpus_each.value);
  }
  if (resources.size() > 1) gang.accelerator = {};

  const bool all = gang.guaranteed.known() && gang.size.known() && gang.guaranteed.value >= gang.size.value;
  if (all) {
    gang.guaranteed_gpus = gang.gpus;
  } else if (gang.guaranteed.known() && sizes_known && sizes.size() == 1) {
    gang.guaranteed_gpus = product(gang.guaranteed, gang.roles.front().gpus_each);
  } else if (const auto least = gang.pod_sets.empty() ? std::nullopt : gpus_of_least(gang)) {
    gang.guaranteed_gpus = *least;
  } else {
    const std::string needs =
        gang.guaranteed.unknown() ? std::string(gang.guaranteed.needs()) : "which of its pods are placed first";
    gang.guaranteed_gpus = unknown_until<std::int64_t>(needs, gang.where);
  }
}

}  // namespace muster
