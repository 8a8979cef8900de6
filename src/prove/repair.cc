#include "prove/repair.h"

#include <algorithm>
#include <map>

#include "base/strings.h"
#include "prove/engines.h"

namespace muster::prove {
namespace {

constexpr std::int64_t kMostNodesAdded = 100'000;

class Repairs {
 public:
  Repairs(const Instance& instance, const ProofResult& result, const ProveLimits& limits)
      : instance_(instance),
        result_(result),
        limits_{std::min<std::int64_t>(limits.states, 20'000), 0, limits.seed, limits.faults} {}

  std::vector<Repair> run(std::size_t most) {
    if (result_.property == Property::QuotaConsistent) {
      smaller_quota();
    } else if (result_.property != Property::Placeable) {
      whole_gangs(short_gangs());
      if (out_.empty()) whole_gangs(all_gangs());
      if (out_.size() < most) one_quota();
    }
    if (result_.property == Property::Placeable) {
      wider_queues();
      other_order();
    }
    if (out_.size() < most) more_nodes();
    return std::move(out_);
  }

 private:
  const World& world() const { return *instance_.world; }

  bool holds(const World& changed, Property property) const {
    bool all = false;
    for (const Instance& instance : instances_of(changed, limits_.faults)) {
      // Gangs that no longer meet in a queue may fall apart into several.
      const auto is_here = [&](std::size_t pool) {
        return std::ranges::find(instance_.pools, pool) != instance_.pools.end();
      };
      if (!std::ranges::all_of(instance.pools, is_here)) continue;
      instance.work_left = limits_.states * 1000;
      Answer answer;
      if (property == Property::Placeable) {
        answer = decide_placeable(instance, limits_.states);
      } else if (property == Property::QuotaConsistent) {
        answer = decide_quota(instance, limits_.states);
      } else if (std::optional<Answer> closed = closed_form(instance, property)) {
        answer = std::move(*closed);
      } else if (std::optional<Answer> bounded = bound(instance, property)) {
        answer = std::move(*bounded);
      } else {
        answer = explore(instance, property, limits_.states);
      }
      if (answer.verdict != Verdict::Holds) return false;
      all = true;
    }
    return all;
  }

  std::int64_t size_of(const WorldGang& gang) const {
    std::int64_t pods = 0;
    for (const WorldRole& role : gang.roles) pods += role.pods;
    return pods;
  }
  bool is_whole(const WorldGang& gang) const {
    return gang.mechanism == Mechanism::OrderedAtomic ||
           (gang.mechanism == Mechanism::Atomic && gang.guaranteed.is_set() && gang.guaranteed.value >= size_of(gang));
  }

  std::vector<std::size_t> short_gangs() const {
    std::vector<std::size_t> out;
    for (const ProofHold& hold : result_.counterexample->holds) {
      if (hold.placed < hold.needs && !is_whole(world().gangs[hold.gang])) out.push_back(hold.gang);
    }
    return out;
  }
  std::vector<std::size_t> all_gangs() const {
    std::vector<std::size_t> out;
    for (const std::size_t gang : result_.gangs) {
      if (!is_whole(world().gangs[gang])) out.push_back(gang);
    }
    return out;
  }

  std::string names(const std::vector<std::size_t>& gangs) const {
    std::string out;
    for (std::size_t i = 0; i < std::min<std::size_t>(gangs.size(), 4); ++i) {
      out += (i == 0                  ? ""
              : i + 1 == gangs.size() ? " and "
                                      : ", ") +
             std::string("`") + world().gangs[gangs[i]].name.value + "`";
    }
    if (gangs.size() > 4) out += " and " + std::to_string(gangs.size() - 4) + " more";
    return out;
  }

  /// Every pod of these gangs at once or none.
  void whole_gangs(const std::vector<std::size_t>& gangs) {
    World changed = world();
    std::string raise;
    std::vector<std::size_t> ungoverned;
    for (const std::size_t g : gangs) {
      WorldGang& gang = changed.gangs[g];
      const std::int64_t size = size_of(gang);
      if (gang.mechanism == Mechanism::Atomic) {
        raise += (raise.empty() ? "" : " and ") + ("of `" + gang.name.value + "` to " + std::to_string(size));
      } else {
        ungoverned.push_back(g);
      }
      gang.mechanism = Mechanism::Atomic;
      gang.guaranteed = set_to(size, {});
    }
    if (gangs.empty() || !holds(changed, result_.property)) return;
    std::string text;
    if (!raise.empty()) text = "set the guaranteed size (minMember, minAvailable) " + raise;
    if (!ungoverned.empty()) {
      text += (text.empty() ? "" : ", and ") +
              ("place " + names(ungoverned) + " through a gang scheduler with " +
               (ungoverned.size() == 1 ? "minMember " + std::to_string(size_of(world().gangs[ungoverned.front()]))
                                       : "minMember equal to the size of each"));
    }
    out_.push_back({std::move(text), std::move(changed)});
  }

  /// Queues that admit less than all of a gang that goes there.
  void wider_queues() {
    World changed = world();
    std::map<std::size_t, std::int64_t> least;
    for (const GangSpec& gang : instance_.gangs) {
      if (gang.queue && gang.gpus > world().queues[*gang.queue].gpus)
        least[*gang.queue] = std::max(least[*gang.queue], gang.gpus);
    }
    std::string words;
    for (const auto& [queue, gpus] : least) {
      changed.queues[queue].gpus = gpus;
      words += (words.empty() ? "" : " and ") + ("of queue `" + world().queues[queue].name + "` to at least " +
                                                 count_of(static_cast<std::size_t>(gpus), "GPU"));
    }
    if (least.empty() || !holds(changed, result_.property)) return;
    out_.push_back({"raise the limit " + words, std::move(changed)});
  }

  /// A component that starves goes first.
  void other_order() {
    const std::size_t g = result_.counterexample->holds.front().gang;
    if (world().gangs[g].mechanism != Mechanism::OrderedAtomic) return;
    for (std::size_t r = 1; r < world().gangs[g].roles.size(); ++r) {
      World changed = world();
      std::vector<WorldRole>& roles = changed.gangs[g].roles;
      std::rotate(roles.begin(), roles.begin() + static_cast<std::ptrdiff_t>(r),
                  roles.begin() + static_cast<std::ptrdiff_t>(r) + 1);
      if (!holds(changed, result_.property)) continue;
      out_.push_back({"put component " +
                          (roles.front().name.empty() ? std::to_string(r + 1) : "`" + roles.front().name + "`") +
                          " of `" + world().gangs[g].name.value + "` first",
                      std::move(changed)});
      return;
    }
  }

  std::int64_t capacity() const {
    std::int64_t sum = 0;
    for (const NodeClass& nodes : instance_.classes) sum += nodes.count * nodes.free[0];
    return sum;
  }
  std::int64_t largest_gang() const {
    std::int64_t out = 0;
    for (const GangSpec& gang : instance_.gangs) out = std::max(out, gang.gpus);
    return out;
  }

  World with_quota(std::int64_t quota, bool all_gangs_by_it) const {
    World changed = world();
    for (const std::size_t pool : instance_.pools) changed.pools[pool].quota = {};
    changed.pools[instance_.pools.front()].quota = set_to(quota, {});
    for (const std::size_t g : result_.gangs) {
      if (all_gangs_by_it && !is_whole(changed.gangs[g])) changed.gangs[g].mechanism = Mechanism::Quota;
    }
    return changed;
  }

  /// The largest quota within which it holds and every gang can still be admitted.
  std::optional<std::int64_t> largest_quota(bool all_gangs_by_it) const {
    std::int64_t low = largest_gang();
    std::int64_t high = capacity();
    const auto fine = [&](std::int64_t quota) { return holds(with_quota(quota, all_gangs_by_it), result_.property); };
    if (low > high || !fine(low)) return std::nullopt;
    while (low < high) {
      const std::int64_t middle = low + (high - low + 1) / 2;
      if (fine(middle)) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  void one_quota() {
    if (instance_.gangs.size() > kFewGangs || instance_.pools.size() > 1) return;
    if (const std::optional<std::int64_t> quota = largest_quota(true)) {
      out_.push_back({"admit all of them through one queue with a quota of at most " + std::to_string(*quota) + " GPUs",
                      with_quota(*quota, true)});
    }
  }
  void smaller_quota() {
    if (instance_.gangs.size() > kFewGangs) return;
    if (const std::optional<std::int64_t> quota = largest_quota(false))
      out_.push_back({"lower the quota to at most " + std::to_string(*quota) + " GPUs", with_quota(*quota, false)});
  }

  void more_nodes() {
    if (instance_.gangs.size() > kFewGangs || instance_.classes.empty()) return;
    const auto largest =
        std::ranges::max_element(instance_.classes, {}, [](const NodeClass& nodes) { return nodes.free[0]; });
    if (largest->free[0] == 0) return;
    const auto fine = [&](std::int64_t nodes) { return holds(with_nodes(*largest, nodes), result_.property); };
    std::int64_t high = 1;
    while (high < kMostNodesAdded && !fine(high)) high *= 2;
    if (high >= kMostNodesAdded) return;
    std::int64_t low = high / 2;  // not enough
    while (low + 1 < high) {
      const std::int64_t middle = low + (high - low) / 2;
      (fine(middle) ? high : low) = middle;
    }
    const std::string pool = world().pools[largest->pool].name.value;
    out_.push_back({"add " + count_of(static_cast<std::size_t>(high), "node") + " of " +
                        std::to_string(largest->free[0]) + " GPUs to pool `" + pool + "`" + place_of(*largest),
                    with_nodes(*largest, high)});
  }

  /// So many nodes of that class more.
  World with_nodes(const NodeClass& nodes, std::int64_t more) const {
    World changed = world();
    std::int64_t first = 0;
    for (WorldNodes& each : changed.pools[nodes.pool].nodes) {
      if (first == nodes.first && each.count > 0) {
        each.count += more;
        break;
      }
      first += each.count;
    }
    return changed;
  }

  /// Whether some gang or role has to stand in one domain of the level.
  bool is_asked(const std::string& level) const {
    return std::ranges::any_of(world().gangs, [&](const WorldGang& gang) {
      return gang.domain == level || std::ranges::any_of(gang.roles, [&](const WorldRole& role) {
               return role.domain == level || role.within.contains(level);
             });
    });
  }

  /// Where its nodes stand, on the levels that some gang asks for.
  std::string place_of(const NodeClass& nodes) const {
    std::int64_t first = 0;
    for (const WorldNodes& each : world().pools[nodes.pool].nodes) {
      first += each.count;
      if (first <= nodes.first) continue;
      std::string out;
      for (const auto& [level, domain] : each.domains) {
        if (is_asked(level)) out += (out.empty() ? ", in " : " and ") + level + " `" + domain + "`";
      }
      return out;
    }
    return "";
  }

  static constexpr std::size_t kFewGangs = 16;
  const Instance& instance_;
  const ProofResult& result_;
  const ProveLimits limits_;
  std::vector<Repair> out_;
};

}  // namespace

std::vector<Repair> repairs_of(const Instance& instance, const ProofResult& result, const ProveLimits& limits,
                               std::size_t most) {
  return Repairs(instance, result, limits).run(most);
}

}  // namespace muster::prove
