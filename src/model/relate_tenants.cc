// Accounts of Slurm, queues and tenants of the fleet file that go by one name, and what each lets them have.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

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

/// A weight and those of its like: accounts or queues right below the same one.
struct TenantShare {
  const Object* object = nullptr;
  Located<std::int64_t> weight;  ///< in thousandths
  std::string says;
  bool of_slurm = false;
  std::tuple<std::string, bool, std::string, std::string> among;  ///< bundle, whose, cluster or system, what is above
};

class Tenants {
 public:
  explicit Tenants(Model& model) : model_(model) {}

  void run() {
    limits();
    shares();
  }

 private:
  void limits() {
    for (const SlurmQos& qos : model_.slurm_qos) qos_.emplace(std::pair(qos.bundle, qos.name.value), &qos);
    for (const SlurmAccount& account : model_.slurm_accounts) {
      named_.emplace(account.bundle, account.name.value);
      const TenantLimit limit = limit_of_account(account);
      if (limit.gpus.known()) add(account, limit);
    }
    for (const SlurmQos& qos : model_.slurm_qos) {
      const bool of_account = named_.contains({qos.bundle, qos.name.value});
      if (qos.gpus.known() && !of_account) add(qos, {qos.gpus, "`GrpTRES` of QOS `" + qos.name.value + "`", true});
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

  /// Its own, or that of the only QOS which its jobs may have: what a QOS limits, an account limits no more. Source:
  /// slurm.schedmd.com/resource_limits.html (hierarchy).
  TenantLimit limit_of_account(const SlurmAccount& account) const {
    TenantLimit out{account.gpus, "`GrpTRES` of account `" + account.name.value + "`", true};
    const auto found = qos_.find({account.bundle, account.qos.value});
    if (!account.qos.known() || found == qos_.end()) return out;
    const SlurmQos& qos = *found->second;
    if (qos.gpus.known()) out = {qos.gpus, "`GrpTRES` of its only QOS `" + qos.name.value + "`", true};
    if (qos.gpus_each.known() && (!out.gpus.known() || qos.gpus_each.value < out.gpus.value))
      out = {qos.gpus_each, "`MaxTRESPA` of its only QOS `" + qos.name.value + "`", true};
    return out;
  }

  /// Sources: slurm.schedmd.com/sacctmgr.html (Fairshare: a share among its siblings);
  /// volcano-sh/volcano:docs/design/queue/proportion.md; kai-scheduler/KAI-Scheduler:docs/fairness/README.md;
  /// kueue.sigs.k8s.io/docs/concepts/fair_sharing.
  void shares() {
    std::vector<TenantShare> all;
    for (const SlurmAccount& account : model_.slurm_accounts) {
      if (!account.fair_share.known()) continue;
      Located<std::int64_t> weight = account.fair_share;
      weight.value = std::min<std::int64_t>(weight.value, kMostWeight) * 1000;
      all.push_back({&account,
                     weight,
                     "`Fairshare` of account `" + account.name.value + "`",
                     true,
                     {account.bundle, true, account.cluster, account.parent.is_set() ? account.parent.value : ""}});
    }
    for (const Queue& queue : model_.queues) {
      if (queue.local || !queue.weight.known() || queue.weight.value.whole < 0) continue;
      const std::int64_t thousandths =
          std::min<std::int64_t>(queue.weight.value.whole, kMostWeight) * 1000 + queue.weight.value.nano / 1'000'000;
      const Located<std::string>& above = queue.parent.is_set() ? queue.parent : queue.cohort;
      all.push_back({&queue,
                     set_to(thousandths, queue.weight.where, queue.weight.field),
                     "`" + std::string(queue.weight.field) + "` of queue `" + queue.name.value + "`",
                     false,
                     {queue.bundle, false, std::string(name_of(queue.system)), above.is_set() ? above.value : ""}});
    }
    std::map<decltype(TenantShare::among), std::int64_t> sums;
    std::map<decltype(TenantShare::among), std::int64_t> counts;
    for (const TenantShare& share : all) {
      sums[share.among] = add_capped(sums[share.among], share.weight.value);
      ++counts[share.among];
    }
    std::map<std::pair<std::string_view, std::string_view>, std::vector<const TenantShare*>> by_name;
    for (TenantShare& share : all) {
      if (counts[share.among] < 2 || sums[share.among] == 0) continue;
      share.weight.value = share.weight.value * 100 / sums[share.among];
      by_name[{share.object->bundle, share.object->name.value}].push_back(&share);
    }
    for (const auto& [key, both] : by_name) {
      if (both.size() != 2 || both[0]->of_slurm == both[1]->of_slurm) continue;
      const TenantShare& slurm = *both[both[0]->of_slurm ? 0 : 1];
      const TenantShare& queue = *both[both[0]->of_slurm ? 1 : 0];
      const auto [less, more] = std::minmax(slurm.weight.value, queue.weight.value);
      if (more < kFarApart * std::max<std::int64_t>(less, 1)) continue;
      tell(*queue.object, {queue.weight, queue.says, false}, {slurm.weight, slurm.says, true}, false);
      model_.tenant_drifts.back().shares = true;
    }
  }

  static constexpr std::int64_t kMostWeight = 1'000'000'000;
  static constexpr std::int64_t kFarApart = 2;  // times: fair shares of two planes are never equal

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

  using NameInBundle = std::pair<std::string, std::string>;

  Model& model_;
  std::map<NameInBundle, const SlurmQos*> qos_;
  std::map<NameInBundle, std::size_t> accounts_of_;                         // that have no other QOS
  std::set<NameInBundle> named_;                                            // accounts
  std::map<std::pair<std::string_view, std::string_view>, Limits> limits_;  // by bundle and name
};

}  // namespace

void relate_tenants(Model& model) { Tenants(model).run(); }

}  // namespace muster
