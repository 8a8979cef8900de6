#include <algorithm>

#include "gang/manifest.h"
#include "gang/membership.h"
#include "kubernetes/kind_file.h"
#include "observe/pod.h"

namespace muster {
namespace {

Node controller_of(const Node& pod) {
  const Node owners = pod["metadata"]["ownerReferences"];
  for (std::size_t i = 0; owners.is_sequence() && i < owners.size(); ++i) {
    if (owners.item(i)["controller"].text() == "true") return owners.item(i);
  }
  return owners.is_sequence() && owners.size() == 1 ? owners.item(0) : Node{};
}

/// The row of the object that controls a pod. A reference without apiVersion means the first kind of its name.
const KindFile* row_of_controller(const Node& controller, const KnownRows& known) {
  const std::string_view kind = controller["kind"].text();
  const std::string_view api_version = controller["apiVersion"].text();
  if (!api_version.empty()) return known.find(api_version, kind);
  const auto found = std::ranges::find(known.kinds, kind, &KindFile::kind);
  return found == known.kinds.end() ? nullptr : *found;
}

/// A workload that a label of a pod names.
struct Named {
  const KindFile* row = nullptr;
  std::string_view name;
  std::string_view label;
};

bool makes(const KindFile& outer, const KindFile& inner) {
  return std::ranges::find(outer.pods.makes, inner.id) != outer.pods.makes.end();
}

std::vector<Named> named_by_labels(const Node& labels, const KnownRows& known) {
  std::vector<Named> out;
  for (const KindFile* row : known.kinds) {
    for (const std::string& label : row->pods.labels) {
      const std::string_view name = labels[label].text();
      if (name.empty()) continue;
      out.push_back({row, name, label});
      break;
    }
  }
  return out;
}

bool controls(const Named& one, const KindFile* controller) {
  return controller != nullptr && (one.row == controller || makes(*one.row, *controller));
}

/// The outermost: one that no other makes; of several the one that controls the pod. Kinds that share a label are told
/// apart by what controls the pod; where that is none of them, none is left.
Named outermost(const std::vector<Named>& all, const KindFile* controller) {
  Named best;
  for (const Named& one : all) {
    const auto tops = [&](const Named& other) { return makes(*other.row, *one.row); };
    const auto shares = [&](const Named& other) { return other.row != one.row && other.label == one.label; };
    if (std::ranges::any_of(all, tops)) continue;
    if (std::ranges::any_of(all, shares) && !controls(one, controller)) continue;
    if (best.row == nullptr || (controls(one, controller) && !controls(best, controller))) best = one;
  }
  return best;
}

Owner owner_of(const KindFile& row, std::string name) {
  Owner owner;
  owner.row = &row;
  owner.kind = row.shown;
  owner.name = std::move(name);
  owner.resource = row.pods.resource;
  owner.by_kind = row.pods.needs_all;
  owner.ends = row.pods.ends;
  owner.object = owner.kind + "/" + owner.name;
  return owner;
}

/// Of one of several kinds that share a label, and nothing says which: what they have in common.
Owner owner_of_some(const std::vector<Named>& all, const Node& controller) {
  Owner owner;
  owner.kind = controller.exists() ? std::string(controller["kind"].text()) : all.front().row->group + " job";
  owner.name = all.front().name;
  owner.object = owner.kind + "/" + owner.name;
  const KindPods& first = all.front().row->pods;
  owner.by_kind = std::ranges::all_of(all, [](const Named& one) { return one.row->pods.needs_all; });
  const bool alike = std::ranges::all_of(all, [&](const Named& one) { return one.row->pods.ends == first.ends; });
  owner.ends = alike ? first.ends : Ends::Unknown;
  return owner;
}

/// One that makes several gangs: each is for itself.
void part(Owner& owner, const Named& named, const Node& labels) {
  const std::string& key = named.row->pods.group_label;
  if (key.empty()) return;
  const std::string index(labels[key].text());
  if (index.empty()) return;
  owner.name += "-" + index;
  owner.selector = std::string(named.label) + "=" + std::string(named.name) + "," + key + "=" + index;
}

}  // namespace

const KindFile* KnownRows::find(std::string_view api_version, std::string_view kind) const {
  const std::string_view group = api_group(api_version);
  const std::string_view version = api_version.substr(api_version.rfind('/') + 1);
  const KindFile* out = nullptr;
  for (const KindFile* row : kinds) {
    if (row->kind != kind || row->group != group) continue;
    const std::vector<std::string_view> versions = split_blanks(row->versions);
    if (std::ranges::find(versions, version) != versions.end()) return row;
    if (out == nullptr) out = row;
  }
  return out;
}

std::string shown_kind(std::string_view api_version, std::string_view kind, const KnownRows& known) {
  const KindFile* row = known.find(api_version, kind);
  return row == nullptr ? std::string(kind) : row->shown;
}

Owner read_owner(const Node& pod, const KnownRows& known) {
  const Node labels = pod["metadata"]["labels"];
  const Node controller = controller_of(pod);
  const KindFile* row = row_of_controller(controller, known);
  const std::vector<Named> all = named_by_labels(labels, known);
  if (const Named named = outermost(all, row); named.row != nullptr) {
    Owner owner = owner_of(*named.row, std::string(named.name));
    part(owner, named, labels);
    return owner;
  }
  if (!all.empty()) return owner_of_some(all, controller);
  if (!controller.exists()) {
    Owner owner = owner_of(*known.find("", "Pod"), std::string(pod["metadata"]["name"].text()));
    owner.object.clear();
    return owner;
  }
  if (row != nullptr) return owner_of(*row, std::string(controller["name"].text()));
  Owner owner;
  owner.kind = controller["kind"].text();
  owner.name = controller["name"].text();
  owner.object = owner.kind + "/" + owner.name;
  return owner;
}

std::optional<GroupMembership> read_membership(const Node& pod, const SchedulerBook& schedulers) {
  const std::optional<FoundMembership> found = find_membership(PodTemplate::of(pod), schedulers);
  if (!found) return std::nullopt;
  return GroupMembership{found->row, found->mark, std::string(node_at(*found->mark, PodTemplate::of(pod)).text()),
                         found->made_by_user};
}

}  // namespace muster
