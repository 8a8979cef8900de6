#include "worlds/priorities.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>

namespace muster {
namespace {

/// A PriorityClass as far as it is known.
struct Class {
  std::optional<std::int64_t> value;
  bool preempts = true;
};

class Classes {
 public:
  explicit Classes(std::span<const Manifest* const> manifests) {
    known_["system-cluster-critical"].value = 2'000'000'000;
    known_["system-node-critical"].value = 2'000'001'000;
    Class none{0, true};
    for (const Manifest* manifest : manifests) {
      const WrittenValue& value = manifest->part("value");
      Class one;
      if (value.kind == WrittenValue::Kind::Int) one.value = value.number();
      const WrittenValue& policy = manifest->part("preemption");
      one.preempts = policy.text() != "Never";
      if (policy.state == State::Unknown) one.value.reset();
      known_[manifest->name.value] = one;
      if (manifest->part("global_default").flag) none = one;
    }
    known_[""] = none;  // of pods that name none
  }

  Class of(const std::string& name) const {
    const auto found = known_.find(name);
    return found == known_.end() ? Class{} : found->second;
  }

 private:
  std::map<std::string, Class> known_;
};

/// The class of its pods, and where it stands; several are none that can be told.
std::optional<std::string> class_of(const Gang& gang, Span& where) {
  std::set<std::string> names;
  for (const Role& role : gang.roles) {
    if (role.priority_class->unknown()) return std::nullopt;
    names.insert(role.priority_class->value);
    if (role.priority_class->is_set()) where = role.priority_class->where;
  }
  if (names.size() > 1) return std::nullopt;
  return names.empty() ? std::string() : *names.begin();
}

/// Pods that are nobody's certain prey, but may be somebody's.
void leave_open_who_evicts(const std::string& scheduler, const std::vector<PriorityOf>& members) {
  for (const PriorityOf& member : members) {
    for (WorldGang& part : *member.parts) {
      if (part.taken_apart.empty())
        part.taken_apart = "`" + scheduler + "` may evict single pods for those of a higher priority";
    }
  }
}

}  // namespace

PriorityClasses priority_classes_by_bundle(const Model& model) {
  PriorityClasses out;
  const ManifestDef* classes = &manifest_def("priority_classes");
  for (const Manifest& manifest : model.manifests) {
    if (manifest.def == classes) out[manifest.bundle].push_back(&manifest);
  }
  return out;
}

std::vector<WorldSource> apply_priorities(const Model& model, const PriorityClasses& by_bundle,
                                          const std::vector<PriorityOf>& members) {
  std::set<std::optional<std::string>> named;
  bool evicts = false;
  const Gang* may = nullptr;
  Span where;
  for (const PriorityOf& member : members) {
    const Gang& gang = model.gangs[member.gang];
    if (gang.control_plane == ControlPlane::Slurm) return {};
    named.insert(class_of(gang, where));
    evicts = evicts || gang.binder_evicts;
    if (gang.binder_may_evict) may = &gang;
  }
  if (named.size() < 2 && !named.contains(std::nullopt)) return {};
  if (may != nullptr) leave_open_who_evicts(may->scheduler.value, members);
  if (!evicts) return {};
  const auto own = by_bundle.find(model.gangs[members.front().gang].bundle);
  const Classes classes(own == by_bundle.end() ? std::span<const Manifest* const>{} : own->second);
  std::string missing;
  for (const std::optional<std::string>& name : named) {
    if (!name) missing = "which PriorityClass its pods have is not known";
    if (name && !classes.of(*name).value) missing = "the value of PriorityClass `" + *name + "` is not in the input";
  }
  for (const PriorityOf& member : members) {
    const Gang& gang = model.gangs[member.gang];
    const Class one = missing.empty() ? classes.of(*class_of(gang, where)) : Class{};
    for (WorldGang& part : *member.parts) {
      if (one.value) {
        part.priority = *one.value;
        part.preempts = part.evicts_pods = gang.binder_evicts && one.preempts;
      } else if (part.taken_apart.empty()) {
        part.taken_apart = "kube-scheduler evicts single pods for one of a higher priority, and " + missing;
      }
    }
  }
  if (!missing.empty()) return {};
  return {{"kube-scheduler evicts single pods for one of a higher priority", where}};
}

}  // namespace muster
