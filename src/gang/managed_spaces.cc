#include "gang/managed_spaces.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace muster {
namespace {

const WrittenValue* value_at(const WrittenValue& values, const KeyPath& path) {
  const WrittenValue* at = &values;
  for (const std::string& step : path) {
    if (at == nullptr || at->state != State::Set || at->kind != WrittenValue::Kind::Map) return nullptr;
    at = at->find(step);
  }
  return at;
}

class Spaces {
 public:
  Spaces(const Model& model, const Scheduler& row) : row_(row) {
    const ManifestDef* releases = &manifest_def("helm_releases");
    const ManifestDef* spaces = &manifest_def("kubernetes_namespaces");
    for (const Manifest& one : model.manifests) {
      if (one.def == spaces) labels_[one.bundle].emplace(one.name.value, &one.part("labels"));
      if (one.def == releases && one.part("chart").text() == row.spaces->chart) releases_[one.bundle].push_back(&one);
    }
  }

  bool empty() const { return releases_.empty(); }

  /// Where it is said that the pods of the namespace of a gang are sent; nowhere where that is not said.
  Span said_of(const Gang& gang) const {
    const auto found = releases_.find(gang.bundle);
    if (found == releases_.end() || gang.space.empty()) return {};
    for (const Manifest* release : found->second) {
      if (const Span where = said_in(*release, gang); where.placed()) return where;
    }
    return {};
  }

 private:
  Span said_in(const Manifest& release, const Gang& gang) const {
    const WrittenValue& values = release.part("values");
    if (values.state == State::Unknown || values.kind == WrittenValue::Kind::Text) return {};
    const WrittenValue* selector = value_at(values, row_.spaces->selector);
    if (selector != nullptr && !selector->keys().empty()) return selects(*selector, gang) ? selector->where : Span{};
    const WrittenValue* names = value_at(values, row_.spaces->names);
    if (names == nullptr)
      return std::ranges::find(row_.spaces->given, gang.space.view()) != row_.spaces->given.end() ? release.where
                                                                                                  : Span{};
    const auto is_it = [&](const WrittenValue& one) { return one.is_text() && one.text() == gang.space.view(); };
    const auto found = std::ranges::find_if(names->items(), is_it);
    return found == names->items().end() ? Span{} : found->where;
  }

  bool selects(const WrittenValue& selector, const Gang& gang) const {
    const WrittenValue* wanted = selector.find("matchLabels");
    if (selector.keys().size() != 1 || wanted == nullptr || !wanted->is_text_map()) return false;
    const auto spaces = labels_.find(gang.bundle);
    if (spaces == labels_.end()) return false;
    const auto [first, last] = spaces->second.equal_range(gang.space.view());
    return std::any_of(first, last, [&](const auto& one) { return wanted->selects(*one.second); });
  }

  const Scheduler& row_;
  std::map<std::string_view, std::vector<const Manifest*>> releases_;  ///< by bundle
  std::map<std::string_view, std::multimap<std::string_view, const WrittenValue*>>
      labels_;  ///< of namespaces, by bundle and name
};

bool goes_to_default(const Gang& gang) {
  return gang.control_plane == ControlPlane::Kubernetes && gang.path.known() && gang.path.value == Path::Out &&
         gang.scheduler.known() && gang.scheduler.value == "default";
}

void send(Gang& gang, const Scheduler& row, Span where) {
  gang.path = defaulted_to(Path::In, where, "schedulerName");
  gang.scheduler = defaulted_to(row.id, where, "schedulerName");
  gang.mechanism = defaulted_to(row.mechanism, where, "schedulerName");
  const bool grouped = gang.pod_group->known() && gang.pod_group->state != State::Absent && gang.pod_group_is_object &&
                       std::ranges::find(row.groups, *gang.pod_group_system) != row.groups.end();
  if (grouped) {
    gang.guaranteed =
        unknown_until<std::int64_t>("PodGroup `" + gang.pod_group->value + "`", gang.pod_group->where, "minMember");
  } else if (gang.remarks->sent_guaranteed->state != State::Absent) {
    gang.guaranteed = gang.remarks->sent_guaranteed;
  } else {
    gang.guaranteed = defaulted_to<std::int64_t>(1, where);
  }
}

}  // namespace

void send_by_space(Model& model, const SchedulerBook& book) {
  for (const Scheduler& row : book.schedulers) {
    if (!row.spaces) continue;
    const Spaces spaces(model, row);
    if (spaces.empty()) continue;
    for (Gang& gang : model.gangs) {
      if (!goes_to_default(gang)) continue;
      if (const Span where = spaces.said_of(gang); where.placed()) send(gang, row, where);
    }
  }
}

}  // namespace muster
