#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/quantity.h"
#include "model/model.h"

namespace muster {
namespace {

using LimitRanges = std::vector<const Manifest*>;

/// An amount, and how it is written.
using Amount = std::pair<Quantity, std::string>;

/// The least of what items of type Container say; nothing where one cannot be read.
std::optional<Amount> most_of_container(const Manifest& range, std::string_view resource) {
  std::optional<Amount> out;
  for (const WrittenValue& item : range.part("limits").items()) {
    const WrittenValue* max = item.text_of("type") == "Container" ? item.find("max") : nullptr;
    const WrittenValue* amount = max == nullptr ? nullptr : max->find(resource);
    if (amount == nullptr) continue;
    const std::optional<Quantity> read = Quantity::parse(amount->text());
    if (amount->state != State::Set || !read) return std::nullopt;
    if (!out || *read < out->first) out = Amount(*read, amount->text());
  }
  return out;
}

/// The most that any of the ranges allows: overlays may each have theirs, so one without a word of it allows all.
std::optional<Amount> most_allowed(const LimitRanges& ranges, std::string_view resource) {
  std::optional<Amount> most;
  for (const Manifest* range : ranges) {
    std::optional<Amount> own = most_of_container(*range, resource);
    if (!own) return std::nullopt;
    if (!most || most->first < own->first) most = std::move(own);
  }
  return most;
}

/// What a container asks for above that.
const WrittenValue* asks_above(const WrittenValue& container, std::string_view resource, const Quantity& most) {
  const WrittenValue* resources = container.find("resources");
  for (const std::string_view list : {"limits", "requests"}) {
    const WrittenValue* amounts = resources == nullptr ? nullptr : resources->find(list);
    const WrittenValue* amount = amounts == nullptr ? nullptr : amounts->find(resource);
    if (amount == nullptr || amount->state != State::Set) continue;
    const std::optional<Quantity> asked = Quantity::parse(amount->text());
    if (asked && *asked > most) return amount;
  }
  return nullptr;
}

constexpr std::array<std::string_view, 2> kRangedResources{"cpu", "memory"};

void judge_containers(Manifest& pods, const std::array<std::optional<Amount>, 2>& allowed) {
  for (std::size_t r = 0; r < kRangedResources.size(); ++r) {
    const std::string_view resource = kRangedResources[r];
    const std::optional<Amount>& most = allowed[r];
    if (!most) continue;
    for (const std::string_view list : {"init_containers", "containers"}) {
      for (const WrittenValue& container : pods.part(list).items()) {
        const WrittenValue* found = asks_above(container, resource, most->first);
        if (found == nullptr) continue;
        pods.remarks.own().above_range =
            set_to(most->second + " of " + std::string(resource), found->where, FieldName("resources"));
        return;
      }
    }
  }
}

}  // namespace

/// Source: kubernetes/kubernetes:plugin/pkg/admission/limitranger/admission.go, PodValidateLimitFunc (1.36).
void relate_limit_ranges(Model& model) {
  struct Space {
    LimitRanges ranges;
    std::array<std::optional<Amount>, 2> allowed;
  };
  std::map<std::pair<std::string_view, std::string_view>, Space> by_space;  // by bundle and namespace
  const ManifestDef* ranges = &manifest_def("limit_ranges");
  const ManifestDef* makers = &manifest_def("pod_makers");
  for (const Manifest& one : model.manifests) {
    if (one.def == ranges && !one.space.empty()) by_space[{one.bundle, one.space}].ranges.push_back(&one);
  }
  if (by_space.empty()) return;
  for (auto& [name, space] : by_space) {
    for (std::size_t r = 0; r < kRangedResources.size(); ++r)
      space.allowed[r] = most_allowed(space.ranges, kRangedResources[r]);
  }
  for (Manifest& one : model.manifests) {
    if (one.def != makers || one.space.empty()) continue;
    const auto found = by_space.find({one.bundle, one.space});
    if (found != by_space.end()) judge_containers(one, found->second.allowed);
  }
}

}  // namespace muster
