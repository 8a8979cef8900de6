// What a batch job wants of each of its nodes.
#include "model/node_asks.h"

#include <algorithm>

#include "base/capped.h"
#include "base/strings.h"
#include "model/asked_features.h"

namespace muster {
namespace {

bool gres_has(const std::vector<Gres>& items, const std::string& name) {
  return std::ranges::find(items, name, &Gres::name) != items.end();
}

bool cpus_count_otherwise(const JobOptions& options, std::int64_t component) {
  for (const char* other : {"overcommit", "hint", "threads-per-core", "ntasks-per-core", "extra-node-info",
                            "sockets-per-node", "cores-per-socket"}) {
    if (options.has(other, component)) return true;
  }
  return false;
}

}  // namespace

JobOptions::JobOptions(const SbatchJob& job) {
  for (const SbatchPair& pair : job.options) by_name_[pair.name].push_back(&pair);
}

const SbatchPair* const* JobOptions::last(std::string_view name, std::int64_t component) const {
  const auto named = by_name_.find(name);
  if (named == by_name_.end()) return nullptr;
  const std::vector<const SbatchPair*>& pairs = named->second;
  const auto later = std::ranges::upper_bound(pairs, component, {}, &SbatchPair::component);
  return later != pairs.begin() && counts_for(**(later - 1), component) ? &*(later - 1) : nullptr;
}

const std::string& JobOptions::value_of(std::string_view name, std::int64_t component) const {
  static const std::string none;
  const SbatchPair* const* found = last(name, component);
  if (found == nullptr) return none;
  for (const SbatchPair* const* first = by_name_.find(name)->second.data(); counts_for(**found, component); --found) {
    if ((*found)->value.is_set()) return (*found)->value.value;
    if (found == first) break;
  }
  return none;
}

NodeAsks::NodeAsks(const SbatchJob& job, const JobOptions& options, const SbatchComponent& part, const SlurmSite& site,
                   std::size_t partition)
    : job_(job),
      options_(options),
      part_(part),
      site_(site),
      row_(site.partitions[partition]),
      has_(site.table.partitions[partition]),
      counts_cpus_otherwise_(cpus_count_otherwise(options, part.component)) {}

std::string number_of_things(std::int64_t count, std::string_view noun) {
  return count_of(static_cast<std::size_t>(std::max<std::int64_t>(0, count)), noun);
}

void NodeAsks::add(Shortage what, Span where, std::string asked, std::string there, Span there_where) {
  if (!where.placed()) where = job_.where;
  problems_.push_back({what, std::move(asked), std::move(there), "partition `" + row_.name.value + "`", where,
                       there_where.placed() ? there_where : row_.where, job_.id, part_.of});
}

void NodeAsks::ask_features() {
  if (!part_.constraint.is_set() || site_.setting("nodefeaturesplugins") != nullptr) return;
  const SlurmSetting* scheduler = site_.setting("schedulerparameters");
  if (scheduler != nullptr && contains_ignoring_case(scheduler->value.value, "ignore_constraint_validation")) return;
  const std::optional<AskedFeatures> wanted = read_features(part_.constraint.value);
  if (!wanted) return;
  ask({Shortage::Feature,
       part_.constraint.where,
       "`--constraint=" + part_.constraint.value + "`",
       "no node has it",
       true,
       {}},
      [&](const SiteNodes& nodes) { return has_features(nodes, *wanted); });
}

std::optional<std::int64_t> NodeAsks::each_of(const DeviceAsk& device) const {
  if (device.per == DevicesPer::Node) return device.count;
  if (device.per == DevicesPer::Task) {
    // At least one task is on each; --ntasks are spread over them as their GPUs allow. Executed with 22.05.8, 24.11.5
    // and 26.05.5.
    const bool as_allowed = part_.tasks.is_set() || !part_.tasks_each.known();
    const std::int64_t tasks = as_allowed ? 1 : part_.tasks_each.value;
    return multiply_capped(device.count, std::max(tasks, part_.tasks_per_node.value));
  }
  if (device.per == DevicesPer::Job && part_.nodes_given && part_.max_nodes.known() && part_.max_nodes.value > 0)
    return (device.count - 1) / part_.nodes_of_gpus() + 1;
  return std::nullopt;
}

void NodeAsks::ask_devices() {
  if (!part_.devices_known) return;
  for (const DeviceAsk& device : part_.devices) {
    if (device.count < 1 || device.count > 100'000) continue;
    const std::string kind = device.name + (device.type.empty() ? "" : ":" + device.type);
    if (!site_.has_gres_type(device.name).value_or(true)) {
      // Nodes that have it although GresTypes does not name it are said there.
      const bool said = std::ranges::any_of(
          site_.nodes, [&](const SlurmNodes& line) { return gres_has(line.gres_items, device.name); });
      if (!said) add(Shortage::Device, device.where, "`" + kind + "`", "GresTypes does not name it");
      continue;
    }
    const std::optional<std::int64_t> each = each_of(device);
    const std::int64_t asked = each.value_or(1);
    const std::int64_t there = most([&](const SiteNodes& nodes) { return nodes.devices_of(device.name, device.type); });
    const std::int64_t any = most([&](const SiteNodes& nodes) { return nodes.devices_of(device.name); });
    const bool one_node = part_.nodes_given && part_.max_nodes.known() && part_.max_nodes.value == 1;
    const bool share = device.per == DevicesPer::Job && one_node && gives_share(device);
    const Shortage what = any == 0     ? Shortage::Device
                          : there == 0 ? Shortage::Type
                          : share      ? Shortage::Share
                                       : Shortage::Count;
    const std::string has = what == Shortage::Device ? "no node has any `" + device.name + "`"
                            : what == Shortage::Type ? "nodes have " + types_of(device.name)
                                                     : "the most of a node is " + std::to_string(there);
    ask({what,
         device.where,
         (each ? std::to_string(asked) + " of `" + kind + "` on a node" : "`" + kind + "`"),
         has,
         device.per == DevicesPer::Node || device.per == DevicesPer::Task || one_node,
         {}},
        [&](const SiteNodes& nodes) { return nodes.devices_of(device.name, device.type) >= asked; });
  }
}

bool NodeAsks::gives_share(const DeviceAsk& device) const {
  if (option("nodelist") || part_.cpus_per_gpu.state != State::Absent) return false;
  for (std::size_t i = 0; i < has_.groups.size(); ++i) {
    const bool untyped = std::ranges::any_of(group(i).devices, [&](const NodeDevices& one) {
      return one.name == device.name && one.type.empty() && one.count > 0;
    });
    if (untyped && counts_[i] > 0) return true;
  }
  return false;
}

std::string NodeAsks::types_of(const std::string& name) const {
  std::vector<std::string> types;
  for (std::size_t i = 0; i < has_.groups.size(); ++i) {
    for (const NodeDevices& device : group(i).devices) {
      const std::string type = device.type.empty() ? name + " without a type" : "`" + name + ":" + device.type + "`";
      if (device.name == name && types.size() < kShown && std::ranges::find(types, type) == types.end())
        types.push_back(type);
    }
  }
  return join(types, ", ");
}

bool NodeAsks::all_cpus_known() const {
  for (std::size_t i = 0; i < has_.groups.size(); ++i) {
    if (!group(i).cpus.known) return false;
  }
  return true;
}

std::int64_t NodeAsks::unlimited_cpus(const SiteNodes& nodes) {
  return nodes.is_cloud() ? nodes.cpus.cpus : unspared_cpus(nodes);
}

std::int64_t NodeAsks::unspared_cpus(const SiteNodes& nodes) {
  return nodes.cpus.cpus - multiply_capped(nodes.core_spec_count, nodes.cpus.threads_per_core);
}

std::int64_t NodeAsks::usable_cpus(const SiteNodes& nodes) const {
  return has_.max_cpus ? std::min(unlimited_cpus(nodes), *has_.max_cpus) : unlimited_cpus(nodes);
}

std::int64_t NodeAsks::surely_usable_cpus(const SiteNodes& nodes) const {
  return has_.max_cpus ? std::min(unspared_cpus(nodes), *has_.max_cpus) : unspared_cpus(nodes);
}

void NodeAsks::ask_spare_cpus(std::int64_t fewest_nodes) {
  if (!cpus_asked_.is_set()) return;
  const std::int64_t needed = part_.tasks.state == State::Absent ? fewest_nodes : 1;
  std::int64_t nodes = 0;
  std::int64_t more = 0;
  for (std::size_t i = 0; i < has_.groups.size(); ++i) {
    nodes += surely_usable_cpus(group(i)) >= cpus_asked_.value ? counts_[i] : 0;
    more += usable_cpus(group(i)) >= cpus_asked_.value ? counts_[i] : 0;
  }
  if (nodes >= needed || more < needed) return;
  add(Shortage::SpareCpus, cpus_asked_.where, number_of_things(cpus_asked_.value, "CPU") + " on a node",
      number_of_things(nodes, "node") + (nodes == 1 ? " has" : " have") + " as many beside what CoreSpecCount keeps");
}

std::int64_t NodeAsks::usable_memory(const SiteNodes& nodes) {
  return add_capped(nodes.real_memory.value, -nodes.memory_spec);
}

bool NodeAsks::spread_known() const {
  return part_.nodes_given || part_.tasks_per_node.is_set() || !part_.tasks.is_set() || part_.tasks.value <= 1;
}

bool NodeAsks::spreads_gpus() const {
  return part_.cpus_per_gpu.is_set() && !part_.nodes_given &&
         std::ranges::any_of(part_.devices, [](const DeviceAsk& one) { return one.per == DevicesPer::Job; });
}

bool NodeAsks::plugins_may_change_it() const {
  return site_.setting("jobsubmitplugins") != nullptr || site_.setting("clifilterplugins") != nullptr;
}

std::int64_t NodeAsks::gpus_of_node() const {
  std::int64_t out = 0;
  for (const DeviceAsk& device : part_.devices) {
    if (device.name == "gpu" && device.per == DevicesPer::Node) out = add_capped(out, device.count);
  }
  return out;
}

bool NodeAsks::gpus_of_tasks() const {
  const auto of_task = [](const DeviceAsk& one) { return one.name == "gpu" && one.per == DevicesPer::Task; };
  return std::ranges::any_of(part_.devices, of_task) &&
         std::ranges::all_of(part_.devices, [&](const DeviceAsk& one) { return one.name != "gpu" || of_task(one); });
}

bool NodeAsks::gives_whole_nodes() const {
  return (part_.exclusive.is_set() && part_.exclusive.value.empty()) ||
         std::ranges::any_of(row_.settings, [](const SlurmSetting& one) {
           return one.lower_key == "oversubscribe" && equals_ignoring_case(one.value.value, "EXCLUSIVE");
         });
}

void NodeAsks::ask_cpus() {
  if (counts_cpus_otherwise_ || !all_cpus_known()) return;
  Located<std::int64_t> asked = part_.cpus_each;
  if (!asked.is_set() || !spread_known() || spreads_gpus())
    asked = set_to(cpus_of_task(), part_.cpus_per_task.where, "--cpus-per-task");
  // Also where --ntasks is less.
  if (part_.tasks_per_node.is_set()) {
    const std::int64_t by_tasks = multiply_capped(part_.tasks_per_node.value, cpus_of_task());
    if (by_tasks > asked.value) asked = set_to(by_tasks, part_.tasks_per_node.where, "--ntasks-per-node");
  }
  if (part_.cpus_per_gpu.is_set() && takes_all_gpus()) {
    const std::int64_t each = part_.cpus_per_gpu.value;
    ask({Shortage::Cpus,
         part_.cpus_per_gpu.where,
         number_of_things(each, "CPU") + " for each GPU of a whole node",
         "no node has as many",
         true,
         {}},
        [&](const SiteNodes& nodes) { return usable_cpus(nodes) >= multiply_capped(each, gpus_given(nodes)); });
  } else if (part_.cpus_per_gpu.is_set()) {
    const std::int64_t by_gpus = multiply_capped(part_.cpus_per_gpu.value, std::max<std::int64_t>(1, gpus_of_node()));
    if (by_gpus > asked.value) asked = set_to(by_gpus, part_.cpus_per_gpu.where, "--cpus-per-gpu");
  }
  if (has_.max_cpus && gives_whole_nodes())
    ask({Shortage::Cpus,
         part_.exclusive.where,
         "whole nodes",
         "no job gets more than MaxCPUsPerNode=" + std::to_string(*has_.max_cpus),
         true,
         {}},
        [&](const SiteNodes& nodes) { return nodes.cpus.cpus <= *has_.max_cpus; });
  if (asked.value <= 1) return;
  cpus_asked_ = asked;
  ask({Shortage::Cpus,
       asked.where,
       number_of_things(asked.value, "CPU") + " on a node",
       "the most of a node is " + std::to_string(most([&](const SiteNodes& one) { return usable_cpus(one); })),
       // Every node has room for --ntasks-per-node, also where --ntasks is less. Executed
       // with 22.05.8, 24.11.5, 26.05.5.
       part_.tasks.state == State::Absent || part_.tasks_per_node.is_set(),
       {}},
      [&](const SiteNodes& nodes) { return usable_cpus(nodes) >= asked.value; });
}

bool NodeAsks::takes_all_gpus() const {
  return gives_whole_nodes() && part_.devices_known &&
         std::ranges::any_of(part_.devices, [](const DeviceAsk& one) { return one.name == "gpu"; });
}

std::int64_t NodeAsks::gpus_given(const SiteNodes& nodes) const {
  std::int64_t typed = 0;
  for (const DeviceAsk& one : part_.devices) {
    if (one.name != "gpu") continue;
    if (one.type.empty()) return std::max<std::int64_t>(1, nodes.devices_of("gpu"));
    typed = add_capped(typed, nodes.devices_of("gpu", one.type));
  }
  return std::max<std::int64_t>(1, typed);
}

}  // namespace muster
