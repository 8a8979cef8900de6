// Accounts of Slurm, queues and tenants of the fleet file that go by one name, and what each lets them have.
#include <algorithm>
#include <map>

#include "base/capped.h"
#include "base/strings.h"
#include "model/model.h"

namespace muster {
namespace {

/// Most GPUs that somebody may hold, and who says so.
struct TenantLimit {
  Located<std::int64_t> gpus;
  std::string says;
  bool of_slurm = false;
};

bool is_for_gpus(const Quota& quota) {
  return quota.resource == "nvidia.com/gpu" || quota.resource == "amd.com/gpu" || quota.resource == "gpu";
}

/// Quotas over all flavors; nothing where one of them is no hard limit, as what a cohort lends is none.
std::optional<TenantLimit> limit_of(const Queue& queue) {
  if (queue.local || queue.children > 0 || queue.cohort.state != State::Absent) return std::nullopt;
  TenantLimit out;
  for (const Quota& quota : queue.quotas) {
    if (!is_for_gpus(quota)) continue;
    if (!quota.limit.known() || quota.limit.value.whole < 0 || quota.limit.value.nano != 0) return std::nullopt;
    if (!out.gpus.is_set()) out.gpus = set_to<std::int64_t>(0, quota.limit.where, quota.limit.field);
    out.gpus.value = add_capped(out.gpus.value, quota.limit.value.whole);
  }
  if (!out.gpus.is_set()) return std::nullopt;
  out.says = "`" + std::string(out.gpus.field) + "` of queue `" + queue.name.value + "`";
  return out;
}

class Tenants {
 public:
  explicit Tenants(Model& model) : model_(model) {}

  void run() {
    for (const SlurmAccount& account : model_.slurm_accounts) {
      if (account.gpus.known()) add(account, {account.gpus, "`GrpTRES` of account `" + account.name.value + "`", true});
    }
    for (const Queue& queue : model_.queues) {
      if (const std::optional<TenantLimit> limit = limit_of(queue)) add(queue, *limit);
    }
    const Fleet* fleet = model_.fleets.size() == 1 ? &model_.fleets.front() : nullptr;
    std::map<std::string_view, const Tenant*> tenants;
    if (fleet != nullptr) {
      for (const Tenant& tenant : fleet->tenants) tenants.emplace(tenant.name.value, &tenant);
    }
    for (auto& [key, limits] : limits_) {
      const auto tenant = tenants.find(key.second);
      if (tenant != tenants.end() && tenant->second->limit_gpus.known()) {
        const TenantLimit bound{tenant->second->limit_gpus, "`limit_gpus` of the fleet file", false};
        for (const auto& [object, limit] : limits) {
          if (limit.gpus.value > bound.gpus.value) tell(*object, limit, bound, true);
        }
      } else {
        compare(limits);
      }
    }
  }

 private:
  using Limits = std::vector<std::pair<const Object*, TenantLimit>>;

  void add(const Object& object, TenantLimit limit) {
    limits_[{object.bundle, object.name.value}].emplace_back(&object, std::move(limit));
  }

  /// One account and one queue of a name: of several nobody knows which is meant.
  void compare(const Limits& limits) {
    if (limits.size() != 2 || limits[0].second.of_slurm == limits[1].second.of_slurm) return;
    const auto& slurm = limits[limits[0].second.of_slurm ? 0 : 1];
    const auto& queue = limits[limits[0].second.of_slurm ? 1 : 0];
    if (slurm.second.gpus.value != queue.second.gpus.value) tell(*queue.first, queue.second, slurm.second, false);
  }

  void tell(const Object& object, const TenantLimit& here, const TenantLimit& there, bool bound) {
    TenantDrift drift;
    static_cast<Object&>(drift) = object;
    drift.here = here.gpus;
    drift.there = there.gpus;
    drift.here_says = here.says;
    drift.there_says = there.says;
    drift.bound = bound;
    model_.tenant_drifts.push_back(std::move(drift));
  }

  Model& model_;
  std::map<std::pair<std::string_view, std::string_view>, Limits> limits_;  // by bundle and name
};

}  // namespace

void relate_tenants(Model& model) { Tenants(model).run(); }

}  // namespace muster
