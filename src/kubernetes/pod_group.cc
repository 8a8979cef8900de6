#include "gang/manifest.h"
#include "gang/scheduler.h"
#include "syntax/read_value.h"

namespace muster {

namespace {

/// Hard unless it says soft; without a tier it is not hard either. Source:
/// volcano-sh/volcano:pkg/scheduler/api/sub_job_info.go (1.15).
Located<std::int64_t> read_hard_tier(const Node& topology, std::vector<Finding>& findings) {
  if (!topology.is_mapping() || topology["mode"].text() == "soft") return {};
  if (const Node name = topology["highestTierName"]; name.exists())
    return unknown_until<std::int64_t>("which tier `highestTierName` means", name.where(), "highestTierName");
  return read_int(topology["highestTierAllowed"], "highestTierAllowed", findings);
}

/// Without a Topology KAI has no levels to look the label up in. Source:
/// kai-scheduler/KAI-Scheduler:pkg/scheduler/api/podgroup_info/subgroup_info/factory.go (0.17).
Located<std::string> read_required_level(const Node& constraint, std::vector<Finding>& findings) {
  Located<std::string> level = read_text(constraint["requiredTopologyLevel"], "requiredTopologyLevel", findings);
  if (level.is_set() && !constraint["topology"].exists())
    return unknown_until<std::string>("the Topology of `" + level.value + "`", level.where, "requiredTopologyLevel");
  return level;
}

SubGroup read_sub_group(const Node& item, std::vector<Finding>& findings) {
  SubGroup out;
  out.name = read_text(item["name"], "name", findings);
  out.where = out.name.is_set() ? out.name.where : item.where();
  return out;
}

/// Source: kai-scheduler/KAI-Scheduler:pkg/apis/scheduling/v2alpha2/podgroup_types.go (0.17).
void add_kai_sub_groups(const Node& spec, PodGroup& group, std::vector<Finding>& findings) {
  group.min_sub_groups = read_int(spec["minSubGroup"], "minSubGroup", findings);
  group.required_topology = spec["topologyConstraint"]["topology"].exists()
                                ? read_required_level(spec["topologyConstraint"], findings)
                                : Located<std::string>{};
  const Node list = spec["subGroups"];
  for (std::size_t i = 0; list.is_sequence() && i < list.size(); ++i) {
    const Node item = list.item(i);
    SubGroup one = read_sub_group(item, findings);
    one.parent = read_text(item["parent"], "parent", findings);
    one.min_pods = read_int(item["minMember"], "minMember", findings);
    one.min_groups = read_int(item["minSubGroup"], "minSubGroup", findings);
    one.required_topology = read_required_level(item["topologyConstraint"], findings);
    group.sub_groups.push_back(std::move(one));
  }
}

/// Source: volcano-sh/volcano:pkg/scheduler/api/sub_job_info.go, getSubJobMatchValues (1.15).
void add_volcano_sub_groups(const Node& spec, PodGroup& group, std::vector<Finding>& findings) {
  group.highest_tier = read_hard_tier(spec["networkTopology"], findings);
  const Node list = spec["subGroupPolicy"];
  for (std::size_t i = 0; list.is_sequence() && i < list.size(); ++i) {
    const Node item = list.item(i);
    SubGroup one = read_sub_group(item, findings);
    one.min_pods = value_or<std::int64_t>(read_int(item["subGroupSize"], "subGroupSize", findings), 1);
    one.min_groups = value_or<std::int64_t>(read_int(item["minSubGroups"], "minSubGroups", findings), 0);
    one.highest_tier = read_hard_tier(item["networkTopology"], findings);
    const Node labels = item["labelSelector"]["matchLabels"];
    for (std::size_t l = 0; labels.is_mapping() && l < labels.size(); ++l)
      one.labels[std::string(labels.key(l).text())] = labels.value(l).text();
    if (const Node odd = item["labelSelector"]["matchExpressions"]; odd.size() > 0)
      one.odd_selector = unknown_until<std::string>("which pods sub-group `" + one.name.value + "` selects",
                                                    odd.where(), "matchExpressions");
    const Node keys = item["matchLabelKeys"];
    for (std::size_t k = 0; keys.is_sequence() && k < keys.size(); ++k) one.by_labels.emplace_back(keys.item(k).text());
    group.sub_groups.push_back(std::move(one));
  }
}

/// What systems say of a PodGroup beside its minimum.
void add_sub_groups(const Node& spec, PodGroup& group, std::vector<Finding>& findings) {
  if (group.system == GangSystem::Kai) add_kai_sub_groups(spec, group, findings);
  if (group.system == GangSystem::Volcano) add_volcano_sub_groups(spec, group, findings);
  if (group.system != GangSystem::Native) return;
  const Node constraint = spec["schedulingConstraints"]["topology"];
  if (constraint.is_sequence() && constraint.size() > 0)
    group.required_topology = read_text(constraint.item(0)["key"], "key", findings);
  group.parent = read_text(spec["parentCompositePodGroupName"], "parentCompositePodGroupName", findings);
}

}  // namespace

// The kinds called PodGroup. Which is which, and what stands where in them: rules/schedulers, docs/gangs.md.
namespace pod_group {

void normalise(const Artifact& artifact, const NormaliseContext& context) {
  const Scheduler& row = *SchedulerBook::or_shipped(context.schedulers).owner_of_groups(artifact.kind->group);
  const PodGroupForm& form = *row.pod_group;
  const Node spec = spec_of(artifact);
  PodGroup group;
  static_cast<Object&>(group) = read_object(artifact, context);
  group.system = *row.membership_of;
  group.min_member = read_int(at_path(spec, form.min), FieldName(form.min.back()), context.findings);
  if (!form.queue.empty())
    group.queue = read_text(at_path(spec, form.queue), FieldName(form.queue.back()), context.findings);
  add_sub_groups(spec, group, context.findings);
  context.model.pod_groups.push_back(std::move(group));
}

}  // namespace pod_group
}  // namespace muster
