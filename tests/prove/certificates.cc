#include "prove/certificates.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace muster {
namespace {

bool asks_for_any(const WorldRole& role) {
  return role.pods > 0 && (role.gpus_per_pod > 0 || role.milli_cpus_per_pod > 0 || role.memory_per_pod > 0);
}

class Checker {
 public:
  Checker(const World& world, const ProofResult& result, std::int64_t faults)
      : world_(world), result_(result), faults_(faults) {}

  std::string run() const {
    using Kind = ProofCertificate::Kind;
    switch (result_.certificate.kind) {
      case Kind::NothingToDo: return nothing_to_do() ? "" : "there is something to do";
      case Kind::WholeCommits: return whole_commits();
      case Kind::Sums: return result_.property == Property::QuotaConsistent ? "" : sums();
      case Kind::Bound: return bounds();
      case Kind::Fits:
        return result_.property == Property::Placeable || result_.property == Property::QuotaConsistent
                   ? ""
                   : "that pods fit shows nothing here";
      case Kind::AllStates: return result_.certificate.states > 0 ? "" : "no state was seen";
      case Kind::None: break;
    }
    return "no certificate";
  }

 private:
  std::int64_t size(const WorldGang& gang) const {
    std::int64_t sum = 0;
    for (const WorldRole& role : gang.roles) sum += asks_for_any(role) ? role.pods : 0;
    return sum;
  }
  /// The guaranteed pods that ask for something.
  std::int64_t together(const WorldGang& gang) const {
    std::int64_t least = 0;
    std::int64_t idle = 0;
    for (const WorldRole& role : gang.roles)
      (asks_for_any(role) ? least : idle) += asks_for_any(role) ? std::min(role.guaranteed, role.pods) : role.pods;
    const std::int64_t written = (gang.guaranteed.is_set() ? gang.guaranteed.value : 1) - idle;
    return std::min(size(gang), std::max<std::int64_t>(
                                    gang.mechanism == Mechanism::Atomic ? std::max(written, least) : written, 1));
  }
  std::int64_t fewest(const WorldGang& gang) const {
    if (!gang.coupled) return 1;
    return gang.mechanism == Mechanism::OrderedAtomic ? size(gang)
           : gang.mechanism == Mechanism::Atomic      ? together(gang)
                                                      : 1;
  }
  /// Pods below which what it holds is given back.
  std::int64_t until(const WorldGang& gang) const {
    if (!gang.timeout_seconds) return 0;
    return gang.mechanism == Mechanism::Quota            ? size(gang)
           : gang.mechanism == Mechanism::HoldAndRelease ? together(gang)
                                                         : 0;
  }
  bool loses_pods(const WorldGang& gang) const {
    return !gang.restarts_whole && std::ranges::any_of(result_.gangs, [&](std::size_t g) {
      return world_.gangs[g].preempts && world_.gangs[g].evicts_pods && world_.gangs[g].priority > gang.priority;
    });
  }
  bool can_be_short(const WorldGang& gang, Property property) const {
    if (!gang.coupled || size(gang) < 2) return false;
    if (property == Property::NoLivelock) return fewest(gang) < until(gang);
    return loses_pods(gang) ||
           (property == Property::NoDeadlock ? std::max(fewest(gang), until(gang)) : fewest(gang)) < size(gang);
  }

  bool nothing_to_do() const {
    if (result_.property != Property::QuotaConsistent) return result_.gangs.empty();
    return std::ranges::none_of(result_.gangs, [&](std::size_t g) {
      const WorldGang& gang = world_.gangs[g];
      if (gang.mechanism != Mechanism::Quota) return false;
      return !never_admitted(gang);
    });
  }
  bool never_admitted(const WorldGang& gang) const {
    std::map<std::string, std::int64_t> gpus;
    std::int64_t all = 0;
    for (const WorldRole& role : gang.roles)
      gpus[role.pool.empty() ? gang.pool : role.pool] += role.pods * role.gpus_per_pod;
    for (const auto& [pool, sum] : gpus) all += sum;
    const bool by_queue = std::ranges::any_of(
        world_.queues, [&](const WorldQueue& queue) { return queue.name == gang.queue && all > queue.gpus; });
    return by_queue || std::ranges::any_of(world_.pools, [&](const WorldPool& pool) {
             return pool.quota.is_set() && gpus[pool.name.value] > pool.quota.value;
           });
  }

  std::string whole_commits() const {
    if (faults_ > 0) return "whole commits say nothing of lost pods";
    for (const std::size_t g : result_.gangs) {
      if (can_be_short(world_.gangs[g], result_.property)) return "`" + world_.gangs[g].name.value + "` can be short";
    }
    return "";
  }

  bool is_simple() const {
    const bool queued = std::ranges::any_of(world_.queues, [&](const WorldQueue& queue) {
      std::int64_t sum = 0;
      for (const WorldGang& gang : world_.gangs) {
        for (const WorldRole& role : gang.roles) sum += gang.queue == queue.name ? role.pods * role.gpus_per_pod : 0;
      }
      const bool concerned =
          std::ranges::any_of(result_.gangs, [&](std::size_t g) { return world_.gangs[g].queue == queue.name; });
      return concerned && sum > queue.gpus;
    });
    const bool loses = std::ranges::any_of(result_.gangs, [&](std::size_t g) {
      return world_.gangs[g].coupled && size(world_.gangs[g]) > 1 && loses_pods(world_.gangs[g]);
    });
    return faults_ == 0 && !queued && !loses;
  }

  /// Pods that are alike on slots of one pool: no numbers that the gangs can hold fill them with a gang short.
  std::string sums() const {
    if (!is_simple() || result_.pools.size() != 1) return "more than sums decides here";
    const WorldPool& pool = world_.pools[result_.pools.front()];
    const WorldRole* like = nullptr;
    std::set<std::array<std::int64_t, 3>> reached{{0, 0, 0}};  // held, admitted, whether one is short and concerned
    for (const std::size_t g : result_.gangs) {
      const WorldGang& gang = world_.gangs[g];
      for (const WorldRole& role : gang.roles) {
        if (!asks_for_any(role)) continue;
        if (like == nullptr) like = &role;
        if (role.gpus_per_pod != like->gpus_per_pod || !role.domain.empty() || !gang.domain.empty() ||
            !role.selector.empty() || !role.within.empty())
          return "the pods are not alike";
      }
      const std::set<std::array<std::int64_t, 3>> before = reached;
      for (const auto& sum : before) {
        const std::int64_t admitted =
            sum[1] + (gang.mechanism == Mechanism::Quota ? size(gang) * (like == nullptr ? 0 : like->gpus_per_pod) : 0);
        if (pool.quota.is_set() && admitted > pool.quota.value) continue;
        for (std::int64_t h = fewest(gang); h <= size(gang); ++h) {
          const bool back = h < until(gang);
          if (result_.property != Property::AllOrNothing && (h == size(gang) || !gang.coupled)) continue;
          if (result_.property == Property::NoDeadlock && back) continue;
          const bool marks = result_.property == Property::AllOrNothing
                                 ? gang.coupled && h < size(gang)
                                 : result_.property == Property::NoDeadlock || back;
          reached.insert({sum[0] + h, admitted, marks ? 1 : sum[2]});
        }
      }
    }
    if (like == nullptr) return "nobody asks for anything";
    std::int64_t slots = 0;
    for (const WorldNodes& nodes : pool.nodes) {
      std::int64_t each = like->gpus_per_pod > 0 ? nodes.gpus / like->gpus_per_pod : std::int64_t{1} << 40;
      if (like->memory_per_pod > 0 && nodes.memory) each = std::min(each, *nodes.memory / like->memory_per_pod);
      slots += nodes.count * each;
    }
    if (slots != result_.certificate.slots) return "the slots were miscounted";
    return reached.contains({slots, 0, 1}) ||
                   std::ranges::any_of(reached, [&](const auto& sum) { return sum[0] == slots && sum[2] == 1; })
               ? "the slots can be filled short"
               : "";
  }

  /// Every role of a gang that can be short has an entry; no more has to be held to block it than is there to be
  /// blocked.
  std::string bounds() const {
    if (!is_simple()) return "more than a bound decides here";
    for (const std::size_t g : result_.gangs) {
      const WorldGang& gang = world_.gangs[g];
      const bool concerned = result_.property == Property::NoLivelock ? gang.coupled && fewest(gang) < size(gang)
                                                                      : can_be_short(gang, result_.property);
      for (std::size_t r = 0; concerned && r < gang.roles.size(); ++r) {
        if (!asks_for_any(gang.roles[r])) continue;
        const auto entry = std::ranges::find_if(result_.certificate.entries, [&](const ProofCertificate::Entry& one) {
          return one.gang == g && one.role == r;
        });
        if (entry == result_.certificate.entries.end()) return "`" + gang.name.value + "` has no entry";
        if (entry->held >= entry->blocking || entry->blocking > blocking(gang, gang.roles[r]))
          return "what is held may block `" + gang.name.value + "`";
      }
    }
    return "";
  }
  std::int64_t blocking(const WorldGang& gang, const WorldRole& role) const {
    std::int64_t sum = 0;
    for (const WorldPool& pool : world_.pools) {
      if (pool.name.value != (role.pool.empty() ? gang.pool : role.pool)) continue;
      for (const WorldNodes& nodes : pool.nodes)
        sum += nodes.count * std::max<std::int64_t>(0, nodes.gpus - role.gpus_per_pod + 1);
    }
    return sum;
  }

  const World& world_;
  const ProofResult& result_;
  const std::int64_t faults_;
};

}  // namespace

std::string check_proof(const World& world, const ProofResult& result, std::int64_t faults) {
  return Checker(world, result, faults).run();
}

}  // namespace muster
