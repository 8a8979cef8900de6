#include "gang/task_groups.h"

#include <algorithm>

#include "base/strings.h"
#include "gang/membership.h"
#include "syntax/embedded.h"
#include "syntax/placeholder.h"
#include "syntax/read_value.h"

namespace muster {

std::string resource_called(std::string_view name) { return name == "vcore" ? "cpu" : std::string(name); }

namespace {

constexpr std::size_t kMostGroups = 1000;

bool read_group(const Node& node, TaskGroup& out) {
  out.name = node["name"].text();
  const std::optional<std::int64_t> min = parse_int(node["minMember"].text());
  const Node each = node["minResource"];
  if (out.name.empty() || !min || *min <= 0 || !each.is_mapping()) return false;
  out.min = *min;
  for (std::size_t i = 0; i < each.size(); ++i) {
    const std::optional<Quantity> amount =
        each.value(i).is_scalar() ? Quantity::parse(each.value(i).text()) : std::nullopt;
    if (!amount) return false;
    out.each[resource_called(each.key(i).text())] = *amount;
  }
  const Node tolerations = node["tolerations"];
  if (tolerations.exists() && !tolerations.is_sequence() && !tolerations.is_null()) out.tolerated.emplace_back();
  for (std::size_t i = 0; tolerations.is_sequence() && i < std::min(tolerations.size(), kMostGroups); ++i)
    out.tolerated.emplace_back(tolerations.item(i)["key"].text());
  return true;
}

/// A taint that keeps the placeholders off nodes which take the pods. What is called like a resource that they request
/// an admission plugin may add. Sources: apache/yunikorn-k8shim:pkg/cache/placeholder.go (1.9), newPlaceholder;
/// kubernetes/kubernetes:plugin/pkg/admission/extendedresourcetoleration (1.36).
Located<std::string> untolerated_by(const Role& pods, const TaskGroup& group, const Node& name) {
  for (const Toleration& one : pods.tolerations) {
    const std::string& key = one.key;
    const bool holds = one.effect != "PreferNoSchedule";
    if (!holds || key.empty() || is_placeholder(key) || contains(key, "node.kubernetes.io/")) continue;
    if (group.each.contains(key) || std::ranges::find(group.tolerated, key) != group.tolerated.end() ||
        std::ranges::find(group.tolerated, "") != group.tolerated.end())
      continue;
    return set_to(key, name.where(), "tolerations");
  }
  return {};
}

/// The list stands on one of the pods; that one starts the application.
Node list_in(const Mark& mark, const std::vector<PodTemplate>& templates) {
  for (const PodTemplate& pod_template : templates) {
    if (const Node list = node_at(mark, pod_template); list.exists()) return list;
  }
  return {};
}

}  // namespace

std::optional<Origin> name_task_groups(const TaskGroupMarks& marks, const std::vector<PodTemplate>& templates,
                                       Gang& gang) {
  const std::optional<std::vector<TaskGroup>> groups = read_task_groups(list_in(marks.list, templates));
  std::vector<Finding> ignored;
  for (std::size_t i = 0; groups && i < templates.size(); ++i) {
    const Node node = node_at(marks.name, templates[i]);
    const Located<std::string> name = read_text(node, "task-group-name", ignored);
    if (name.unknown()) return name;
    const auto found = std::ranges::find(*groups, name.value, &TaskGroup::name);
    if (!name.is_set() || found == groups->end()) continue;
    const std::optional<std::string> more = above_placeholder(requests_of_pod(templates[i]), *found);
    gang.roles[i].untolerated = untolerated_by(gang.roles[i], *found, node);
    if (more) gang.roles[i].above_placeholder = set_to(*more, name.where, "minResource");
    if (std::ranges::find(gang.task_groups, found->name, &TaskGroup::name) == gang.task_groups.end())
      gang.task_groups.push_back(*found);
  }
  return std::nullopt;
}

std::optional<std::vector<TaskGroup>> read_task_groups(const Node& annotation) {
  const std::optional<Document> text = read_text_document(annotation, nullptr);
  if (!text || !text->root().is_sequence()) return std::nullopt;
  const Node list = text->root();
  std::vector<TaskGroup> out;
  for (std::size_t i = 0; i < std::min(list.size(), kMostGroups); ++i) {
    TaskGroup group;
    if (!read_group(list.item(i), group)) return std::nullopt;
    out.push_back(std::move(group));
  }
  return out;
}

std::optional<std::string> above_placeholder(const Requests& pod, const TaskGroup& group) {
  for (const auto& [resource, amount] : pod) {
    if (!amount) continue;
    const auto held = group.each.find(resource_called(resource));
    if (*amount > (held == group.each.end() ? Quantity{} : held->second)) return resource;
  }
  return std::nullopt;
}

}  // namespace muster
