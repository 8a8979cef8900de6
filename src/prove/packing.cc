#include "prove/packing.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "prove/fill.h"

namespace muster::prove {
namespace {

constexpr std::int64_t kMaxDepth = 4000;  ///< of the recursion: nodes times kinds

/// Whether nodes of the class are in the domains that the ties of the kind are bound to.
bool stands_in(const Instance& instance, std::size_t c, const PodKind& kind, const std::vector<std::int32_t>& domains) {
  return std::ranges::all_of(
      kind.ties, [&](std::size_t tie) { return domains[tie] >= 0 && domain_of(instance, c, tie) == domains[tie]; });
}

void add_fill(const Instance& instance, std::size_t c, std::int64_t first, std::int64_t nodes, std::size_t kind,
              std::int64_t pods, Fills& out) {
  const PodKind& pod = instance.kinds[kind];
  out.push_back({0, instance.classes[c].pool, first, nodes, instance.gangs[pod.gang].gang, pod.role, pods});
}

Fills fills_of(const Placement& placement) {
  Fills out;
  for (const NodeGroup& group : placement.groups()) {
    for (const auto& [kind, pods] : group.pods)
      add_fill(placement.instance(), group.node_class, group.first, group.count, kind, pods, out);
  }
  return out;
}

/// Places kinds of pods exactly, class by class and node by node; each node takes one of the ways to fill it.
class ExactPacker {
 public:
  ExactPacker(const Instance& instance, std::vector<std::size_t> kinds, const std::vector<std::int32_t>& domains,
              std::int64_t budget)
      : instance_(instance), kinds_(std::move(kinds)), domains_(domains), left_(budget) {}

  Packed run() {
    std::vector<std::int64_t> wanted;
    for (const std::size_t kind : kinds_) wanted.push_back(instance_.kinds[kind].count);
    const bool fits = place(0, 0, wanted);
    if (left_ <= 0) return Packed::Unknown;
    return fits ? Packed::Fits : Packed::DoesNotFit;
  }
  Fills& where() { return where_; }

 private:
  bool allowed(std::size_t i, std::size_t c) const {
    const PodKind& kind = instance_.kinds[kinds_[i]];
    if (kind.eligible[c] == 0) return false;
    return stands_in(instance_, c, kind, domains_);
  }

  bool place(std::size_t c, std::int64_t node, const std::vector<std::int64_t>& wanted) {
    if (std::ranges::all_of(wanted, [](std::int64_t n) { return n == 0; })) return true;
    while (c < instance_.classes.size() && node == instance_.classes[c].count) {
      ++c;
      node = 0;
    }
    instance_.work_left -= 20;
    if (instance_.work_left <= 0) left_ = 0;
    if (c == instance_.classes.size() || --left_ <= 0) return false;
    if (!failed_.insert({c, node, wanted}).second) return false;
    std::vector<std::int64_t> rest = wanted;
    return fill_node(c, node, 0, instance_.classes[c].free, rest);
  }

  /// Kind after kind, as many of each as fit down to none; the last one always as many as fit.
  bool fill_node(std::size_t c, std::int64_t node, std::size_t i, const Amounts& free,
                 std::vector<std::int64_t>& rest) {
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
      if (fits && n > 0) add_fill(instance_, c, instance_.classes[c].first + node, 1, kinds_[i], n, where_);
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
  Fills where_;
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
bool fits_greedily(const Instance& instance, const std::vector<std::size_t>& kinds,
                   const std::vector<std::int32_t>& domains, Fills& where) {
  Placement placement(instance);
  for (std::size_t tie = 0; tie < domains.size(); ++tie) placement.bind_domain(tie, domains[tie]);
  const bool fits = std::ranges::all_of(kinds, [&](std::size_t kind) {
    const std::int64_t count = instance.kinds[kind].count;
    return fill(placement, kind, count, {Fill::Tight, std::nullopt}) == count;
  });
  if (fits) where = fills_of(placement);
  return fits;
}

/// Kinds of which alone there are too many, or accelerators of all of them.
bool cannot_fit(const Instance& instance, const std::vector<std::size_t>& kinds,
                const std::vector<std::int32_t>& domains) {
  std::int64_t wanted = 0;
  std::vector<std::size_t> useful;  // classes, some of them twice
  for (const std::size_t k : kinds) {
    const PodKind& kind = instance.kinds[k];
    std::int64_t slots = 0;
    for (std::size_t c = 0; c < instance.classes.size(); ++c) {
      const NodeClass& nodes = instance.classes[c];
      if (kind.eligible[c] == 0 || !stands_in(instance, c, kind, domains)) continue;
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

Packed pack_in(const Instance& instance, const std::vector<std::size_t>& gangs,
               const std::vector<std::int32_t>& domains, std::int64_t budget, Fills& where) {
  const std::vector<std::size_t> kinds = kinds_of(instance, gangs);
  if (cannot_fit(instance, kinds, domains)) return Packed::DoesNotFit;
  if (fits_greedily(instance, kinds, domains, where)) return Packed::Fits;
  if (instance.work_left <= 0) return Packed::Unknown;
  if (kinds.size() == 1) return Packed::DoesNotFit;  // pods that are alike: full nodes are all there is
  std::int64_t nodes = 0;
  for (const NodeClass& c : instance.classes) nodes += c.count;
  if (nodes > kMaxDepth / static_cast<std::int64_t>(kinds.size())) return Packed::Unknown;
  ExactPacker packer(instance, kinds, domains, budget);
  const Packed packed = packer.run();
  where = std::move(packer.where());
  return packed;
}

/// Roles that are alike, each in a domain of its own choice: a domain takes only whole ones.
bool too_many_roles(const Instance& instance, std::size_t gang) {
  const GangSpec& spec = instance.gangs[gang];
  std::map<std::tuple<std::int32_t, std::int64_t, Amounts, std::vector<char>>, std::int64_t> alike;
  for (std::size_t k = spec.first_kind; k < spec.first_kind + spec.kinds; ++k) {
    const PodKind& kind = instance.kinds[k];
    const auto own = std::ranges::find_if(kind.ties, [&](std::size_t tie) { return instance.ties[tie].kinds == 1; });
    if (own == kind.ties.end()) continue;
    std::vector<std::int64_t> rooms(static_cast<std::size_t>(domains_of(instance, *own)));
    for (std::size_t c = 0; c < instance.classes.size(); ++c) {
      if (const std::int32_t domain = domain_of(instance, c, *own); domain >= 0)
        rooms[static_cast<std::size_t>(domain)] += instance.classes[c].count * room_on(instance, c, k);
    }
    std::int64_t whole = 0;
    for (const std::int64_t room : rooms) whole += room / kind.count;
    if (++alike[{instance.ties[*own].level, kind.count, kind.need, kind.eligible}] > whole) return true;
  }
  return false;
}

/// Role after role, the largest first, each into the domain where the least is left over.
bool fits_role_by_role(const Instance& instance, const std::vector<std::size_t>& gangs, Fills& where) {
  std::vector<std::size_t> kinds = kinds_of(instance, gangs);
  std::ranges::stable_sort(kinds, std::ranges::greater{},
                           [&](std::size_t kind) { return instance.kinds[kind].count * instance.kinds[kind].need[0]; });
  Placement placement(instance);
  const bool fits = std::ranges::all_of(kinds, [&](std::size_t kind) {
    bind_best(placement, kind);
    const std::int64_t count = instance.kinds[kind].count;
    return fill(placement, kind, count, {Fill::Tight, std::nullopt}) == count;
  });
  if (fits) where = fills_of(placement);
  return fits;
}

Packed find_place(const Instance& instance, const std::vector<std::size_t>& gangs, std::int64_t budget, Fills& where) {
  std::vector<std::int32_t> domains(instance.ties.size(), -1);
  std::vector<std::size_t> bound;
  for (const std::size_t g : gangs) {
    const GangSpec& gang = instance.gangs[g];
    for (std::size_t tie = gang.first_tie; tie < gang.first_tie + gang.ties; ++tie) {
      if (domains_of(instance, tie) == 0) return Packed::DoesNotFit;  // no node has that level
      domains[tie] = 0;
      bound.push_back(tie);
    }
    if (too_many_roles(instance, g)) return Packed::DoesNotFit;
  }
  if (bound.size() > 1 && fits_role_by_role(instance, gangs, where)) return Packed::Fits;
  bool unknown = false;
  for (;;) {
    if (instance.work_left <= 0) return Packed::Unknown;
    const Packed one = pack_in(instance, gangs, domains, budget, where);
    if (one == Packed::Fits) return one;
    unknown = unknown || one == Packed::Unknown;
    if (--budget <= 0) return Packed::Unknown;
    // The next choice of domains.
    std::size_t i = 0;
    for (; i < bound.size(); ++i) {
      if (++domains[bound[i]] < domains_of(instance, bound[i])) break;
      domains[bound[i]] = 0;
    }
    if (i == bound.size()) return unknown ? Packed::Unknown : Packed::DoesNotFit;
  }
}

}  // namespace

Packed pack(const Instance& instance, const std::vector<std::size_t>& gangs, std::int64_t budget, Fills* where) {
  Fills here;
  const Packed packed = find_place(instance, gangs, budget, here);
  if (packed != Packed::Fits || where == nullptr) return packed;
  const std::size_t set = where->empty() ? 0 : where->back().set + 1;
  for (ProofCertificate::Fill& fill : here) fill.set = set;
  where->insert(where->end(), here.begin(), here.end());
  return packed;
}

}  // namespace muster::prove
