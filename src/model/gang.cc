#include "model/gang.h"

#include <set>

#include "base/capped.h"

namespace muster {
namespace {

template <class Pick>
Located<std::int64_t> sum(const std::vector<Role>& roles, Span where, Pick pick) {
  Located<std::int64_t> total = defaulted_to<std::int64_t>(0, where);
  bool placed = false;
  for (const Role& role : roles) {
    const std::optional<Located<std::int64_t>> part = pick(role);
    if (!part) continue;
    if (part->unknown()) return *part;
    total.value = add_capped(total.value, part->value);
    if (part->is_set() && !placed) {
      total.where = part->where;
      total.field = part->field;
      total.state = State::Set;
      placed = true;
    }
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

}  // namespace

Located<std::int64_t> total_of(const Gang& gang) {
  return sum(gang.roles, gang.where, [](const Role& role) { return std::optional(role.count); });
}

void fill_sums(Gang& gang) {
  gang.size = total_of(gang);
  gang.essential = sum(gang.roles, gang.where,
                       [](const Role& role) { return role.helper ? std::nullopt : std::optional(role.count); });
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
  } else {
    const std::string needs = gang.guaranteed.unknown() ? gang.guaranteed.needs : "which of its pods are placed first";
    gang.guaranteed_gpus = unknown_until<std::int64_t>(needs, gang.where);
  }
}

}  // namespace muster
