#include "prove/packing.h"

#include <algorithm>
#include <set>
#include <utility>

#include "prove/fill.h"

namespace muster::prove {
namespace {

constexpr std::int64_t kMaxDepth = 4000;  ///< of the recursion: nodes times kinds

/// Places kinds of pods exactly, class by class and node by node; each node takes one of the ways to fill it.
class ExactPacker {
 public:
  ExactPacker(const Instance& instance, std::vector<std::size_t> kinds, const std::vector<std::int32_t>& domains, std::int64_t budget)
      : instance_(instance), kinds_(std::move(kinds)), domains_(domains), left_(budget) {}

  Packed run() {
    std::vector<std::int64_t> wanted;
    for (const std::size_t kind : kinds_) wanted.push_back(instance_.kinds[kind].count);
    const bool fits = place(0, 0, wanted);
    if (left_ <= 0) return Packed::Unknown;
    return fits ? Packed::Fits : Packed::DoesNotFit;
  }

 private:
  bool allowed(std::size_t i, std::size_t c) const {
    const PodKind& kind = instance_.kinds[kinds_[i]];
    if (kind.eligible[c] == 0) return false;
    const std::int32_t level = instance_.gangs[kind.gang].level;
    return level < 0 || (static_cast<std::size_t>(level) < instance_.classes[c].domains.size() && domains_[kind.gang] >= 0 &&
                         instance_.classes[c].domains[static_cast<std::size_t>(level)] == domains_[kind.gang]);
  }

  bool place(std::size_t c, std::int64_t node, const std::vector<std::int64_t>& wanted) {
    if (std::ranges::all_of(wanted, [](std::int64_t n) { return n == 0; })) return true;
    while (c < instance_.classes.size() && node == instance_.classes[c].count) {
      ++c;
      node = 0;
    }
    if (c == instance_.classes.size() || --left_ <= 0) return false;
    if (!failed_.insert({c, node, wanted}).second) return false;
    std::vector<std::int64_t> rest = wanted;
    return fill_node(c, node, 0, instance_.classes[c].free, rest);
  }

  /// Kind after kind, as many of each as fit down to none; the last one always as many as fit.
  bool fill_node(std::size_t c, std::int64_t node, std::size_t i, const Amounts& free, std::vector<std::int64_t>& rest) {
    if (i == kinds_.size()) {
      const std::set<std::size_t> before = std::exchange(here_, {});
      const bool fits = place(c, node + 1, rest);
      here_ = before;
      return fits;
    }
    const Amounts& need = instance_.kinds[kinds_[i]].need;
    std::int64_t most = allowed(i, c) ? std::min(rest[i], room_for(free, need)) : 0;
    const std::size_t gang = instance_.kinds[kinds_[i]].gang;
    const bool alone = instance_.gangs[gang].one_per_node;
    if (alone) most = std::min<std::int64_t>(most, here_.contains(gang) ? 0 : 1);
    const std::int64_t least = i + 1 == kinds_.size() ? most : 0;
    for (std::int64_t n = most; n >= least && left_ > 0; --n) {
      Amounts after = free;
      take(after, need, n);
      rest[i] -= n;
      if (alone && n > 0) here_.insert(gang);
      const bool fits = fill_node(c, node, i + 1, after, rest);
      if (alone && n > 0) here_.erase(gang);
      rest[i] += n;
      if (fits) return true;
      --left_;
    }
    return false;
  }

  const Instance& instance_;
  std::vector<std::size_t> kinds_;
  const std::vector<std::int32_t>& domains_;
  std::int64_t left_;
  std::set<std::size_t> here_;  ///< gangs that have their one pod on the node that is being filled
  std::set<std::tuple<std::size_t, std::int64_t, std::vector<std::int64_t>>> failed_;
};

std::vector<std::size_t> kinds_of(const Instance& instance, const std::vector<std::size_t>& gangs) {
  std::vector<std::size_t> out;
  for (const std::size_t g : gangs) {
    const GangSpec& gang = instance.gangs[g];
    for (std::size_t kind = gang.first_kind; kind < gang.first_kind + gang.kinds; ++kind) out.push_back(kind);
  }
  std::ranges::stable_sort(out, std::ranges::greater{}, [&](std::size_t kind) { return instance.kinds[kind].need; });
  return out;
}

/// Largest pods first, where the least is left over.
bool fits_greedily(const Instance& instance, const std::vector<std::size_t>& kinds, const std::vector<std::size_t>& gangs, const std::vector<std::int32_t>& domains) {
  Placement placement(instance);
  for (const std::size_t g : gangs) placement.bind_domain(g, domains[g]);
  return std::ranges::all_of(kinds, [&](std::size_t kind) {
    const std::int64_t count = instance.kinds[kind].count;
    return fill(placement, kind, count, {Fill::Tight, std::nullopt}) == count;
  });
}

/// Kinds of which alone there are too many, or accelerators of all of them.
bool cannot_fit(const Instance& instance, const std::vector<std::size_t>& kinds, const std::vector<std::int32_t>& domains) {
  std::int64_t wanted = 0;
  std::vector<std::size_t> useful;  // classes, some of them twice
  for (const std::size_t k : kinds) {
    const PodKind& kind = instance.kinds[k];
    const std::int32_t level = instance.gangs[kind.gang].level;
    std::int64_t slots = 0;
    for (std::size_t c = 0; c < instance.classes.size(); ++c) {
      const NodeClass& nodes = instance.classes[c];
      const bool inside = level < 0 || (static_cast<std::size_t>(level) < nodes.domains.size() && nodes.domains[static_cast<std::size_t>(level)] == domains[kind.gang]);
      if (kind.eligible[c] == 0 || !inside) continue;
      const std::int64_t room = room_on(instance, c, k);
      if (room > 0) useful.push_back(c);
      slots += nodes.count * std::min(room, kind.count);
    }
    if (slots < kind.count) return true;
    wanted += kind.need[0] * kind.count;
  }
  std::int64_t there = 0;
  std::ranges::sort(useful);
  useful.erase(std::unique(useful.begin(), useful.end()), useful.end());
  for (const std::size_t c : useful) there += instance.classes[c].count * instance.classes[c].free[0];
  return wanted > there;
}

Packed pack_in(const Instance& instance, const std::vector<std::size_t>& gangs, const std::vector<std::int32_t>& domains, std::int64_t budget) {
  const std::vector<std::size_t> kinds = kinds_of(instance, gangs);
  if (cannot_fit(instance, kinds, domains)) return Packed::DoesNotFit;
  if (fits_greedily(instance, kinds, gangs, domains)) return Packed::Fits;
  if (kinds.size() == 1) return Packed::DoesNotFit;  // pods that are alike: full nodes are all there is
  std::int64_t nodes = 0;
  for (const NodeClass& c : instance.classes) nodes += c.count;
  if (nodes > kMaxDepth / static_cast<std::int64_t>(kinds.size())) return Packed::Unknown;
  return ExactPacker(instance, kinds, domains, budget).run();
}

}  // namespace

Packed pack(const Instance& instance, const std::vector<std::size_t>& gangs, std::int64_t budget) {
  std::vector<std::int32_t> domains(instance.gangs.size(), -1);
  std::vector<std::size_t> bound;
  for (const std::size_t g : gangs) {
    const std::int32_t level = instance.gangs[g].level;
    if (level < 0) continue;
    if (static_cast<std::size_t>(level) >= instance.domains_of_level.size()) return Packed::DoesNotFit;  // nobody has that level
    domains[g] = 0;
    bound.push_back(g);
  }
  bool unknown = false;
  for (;;) {
    const Packed one = pack_in(instance, gangs, domains, budget);
    if (one == Packed::Fits) return one;
    unknown = unknown || one == Packed::Unknown;
    if (--budget <= 0) return Packed::Unknown;
    // The next choice of domains.
    std::size_t i = 0;
    for (; i < bound.size(); ++i) {
      const std::int32_t level = instance.gangs[bound[i]].level;
      if (++domains[bound[i]] < instance.domains_of_level[static_cast<std::size_t>(level)]) break;
      domains[bound[i]] = 0;
    }
    if (i == bound.size()) return unknown ? Packed::Unknown : Packed::DoesNotFit;
  }
}

}  // namespace muster::prove
