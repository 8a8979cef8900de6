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

/// The least of what items of type Container say in `field`; nothing where one cannot be read.
std::optional<Amount> least_of_container(const Manifest& range, std::string_view field, std::string_view resource) {
  std::optional<Amount> out;
  for (const WrittenValue& item : range.part("limits").items()) {
    const WrittenValue* all = item.text_of("type") == "Container" ? item.find(field) : nullptr;
    const WrittenValue* amount = all == nullptr ? nullptr : all->find(resource);
    if (amount == nullptr) continue;
    const std::optional<Quantity> read = Quantity::parse(amount->text());
    if (amount->state != State::Set || !read) return std::nullopt;
    if (!out || *read < out->first) out = Amount(*read, amount->text());
  }
  return out;
}

/// The most that any of the ranges allows: overlays may each have theirs, so one without a word of it allows all.
std::optional<Amount> most_allowed(const LimitRanges& ranges, std::string_view field, std::string_view resource) {
  std::optional<Amount> most;
  for (const Manifest* range : ranges) {
    std::optional<Amount> own = least_of_container(*range, field, resource);
    if (!own) return std::nullopt;
    if (!most || most->first < own->first) most = std::move(own);
  }
  return most;
}

/// What a container says of a resource in `limits` or `requests`.
const WrittenValue* amount_in(const WrittenValue& container, std::string_view list, std::string_view resource) {
  const WrittenValue* resources = container.find("resources");
  const WrittenValue* amounts = resources == nullptr ? nullptr : resources->find(list);
  const WrittenValue* amount = amounts == nullptr ? nullptr : amounts->find(resource);
  return amount == nullptr || amount->state != State::Set ? nullptr : amount;
}

/// What a container asks for above that.
const WrittenValue* asks_above(const WrittenValue& container, std::string_view resource, const Quantity& most) {
  for (const std::string_view list : {"limits", "requests"}) {
    const WrittenValue* amount = amount_in(container, list, resource);
    const std::optional<Quantity> asked = amount == nullptr ? std::nullopt : Quantity::parse(amount->text());
    if (asked && *asked > most) return amount;
  }
  return nullptr;
}

double double_of(const Quantity& amount) {
  constexpr double kNano = 1e9;
  return static_cast<double>(amount.whole) + static_cast<double>(amount.nano) / kNano;
}

/// A limit that is more times the request than that. Where one of them is not written, defaults decide.
const WrittenValue* spans_above(const WrittenValue& container, std::string_view resource, const Quantity& most) {
  const WrittenValue* limit = amount_in(container, "limits", resource);
  const WrittenValue* request = amount_in(container, "requests", resource);
  if (limit == nullptr || request == nullptr) return nullptr;
  const std::optional<Quantity> high = Quantity::parse(limit->text());
  const std::optional<Quantity> low = Quantity::parse(request->text());
  constexpr double kRounding = 1.000001;
  if (!high || !low || double_of(*low) <= 0) return nullptr;
  return double_of(*high) > double_of(most) * double_of(*low) * kRounding ? limit : nullptr;
}

constexpr std::array<std::string_view, 2> kRangedResources{"cpu", "memory"};

/// What all ranges of a namespace allow of one resource.
struct AllowedByRange {
  std::optional<Amount> most;
  std::optional<Amount> ratio;
};
using AllowedOfEach = std::array<AllowedByRange, kRangedResources.size()>;

/// Says of pods what the ranges allow where `container` has more; false: it has not.
bool judge_container(Manifest& pods, const WrittenValue& container, const AllowedByRange& allowed,
                     std::string_view resource) {
  const WrittenValue* found = allowed.most ? asks_above(container, resource, allowed.most->first) : nullptr;
  std::string text = found == nullptr ? "" : allowed.most->second + " of " + std::string(resource);
  if (found == nullptr && allowed.ratio) {
    found = spans_above(container, resource, allowed.ratio->first);
    text = "a limit of " + std::string(resource) + " of " + allowed.ratio->second + " times its request";
  }
  if (found == nullptr) return false;
  pods.remarks.own().above_range = set_to(std::move(text), found->where, FieldName("resources"));
  return true;
}

void judge_containers(Manifest& pods, const AllowedOfEach& allowed) {
  for (std::size_t r = 0; r < kRangedResources.size(); ++r) {
    for (const std::string_view list : {"init_containers", "containers"}) {
      for (const WrittenValue& container : pods.part(list).items()) {
        if (judge_container(pods, container, allowed[r], kRangedResources[r])) return;
      }
    }
  }
}

}  // namespace

/// Source: kubernetes/kubernetes:plugin/pkg/admission/limitranger/admission.go, PodValidateLimitFunc (1.36).
void relate_limit_ranges(Model& model) {
  struct Space {
    LimitRanges ranges;
    AllowedOfEach allowed;
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
      space.allowed[r] = {most_allowed(space.ranges, "max", kRangedResources[r]),
                          most_allowed(space.ranges, "maxLimitRequestRatio", kRangedResources[r])};
  }
  for (Manifest& one : model.manifests) {
    if (one.def != makers || one.space.empty()) continue;
    const auto found = by_space.find({one.bundle, one.space});
    if (found != by_space.end()) judge_containers(one, found->second.allowed);
  }
}

}  // namespace muster
