#include <algorithm>
#include <map>
#include <set>

#include "prove/check_view.h"

namespace muster::check {
namespace {

using Piece = ProofCertificate::Fill;

constexpr std::size_t kMostAdmitted = 12;             // every set of them is looked at
constexpr std::int64_t kMostNodesLookedAt = 1 << 20;  // one by one

/// One set of fills: pods on nodes that were empty before.
class OneSet {
 public:
  OneSet(const View& view, std::vector<const Piece*> pieces) : view_(view), pieces_(std::move(pieces)) {}

  /// Empty, or what is wrong with it.
  std::string run() {
    std::ranges::sort(pieces_, {}, [](const Piece* piece) { return std::tuple(piece->pool, piece->first); });
    for (std::size_t at = 0; at < pieces_.size();) {
      std::size_t end = at;
      while (end < pieces_.size() && pieces_[end]->pool == pieces_[at]->pool &&
             pieces_[end]->first == pieces_[at]->first)
        ++end;
      if (std::string wrong = look_at_nodes(at, end); !wrong.empty()) return wrong;
      if (end < pieces_.size() && pieces_[end]->pool == pieces_[at]->pool &&
          pieces_[end]->first < pieces_[at]->first + pieces_[at]->nodes)
        return "nodes that are filled twice";
      at = end;
    }
    return "";
  }

  /// Gangs of which all pods have a place.
  std::set<std::size_t> whole() const {
    std::map<std::size_t, std::size_t> parts;
    for (const auto& [part, pods] : placed_) parts[view_.parts[part].gang] += pods == view_.parts[part].pods ? 1 : 0;
    std::set<std::size_t> out;
    for (const auto& [team, whole] : parts) {
      if (whole == view_.teams[team].parts) out.insert(team);
    }
    return out;
  }

 private:
  /// A gang, and 0 or one of its parts, or a set of them by level and name.
  using Who = std::tuple<std::size_t, std::size_t, std::string>;

  const Place* place_of(const Piece& piece) const {
    for (const Place& place : view_.places) {
      if (place.pool == piece.pool && place.first <= piece.first && piece.first < place.first + place.count)
        return piece.nodes > 0 && piece.nodes <= place.first + place.count - piece.first ? &place : nullptr;
    }
    return nullptr;
  }

  std::optional<std::size_t> part_of(const Piece& piece) const {
    const auto team = std::ranges::lower_bound(view_.teams, piece.gang, {}, &Team::number);
    if (team == view_.teams.end() || team->number != piece.gang) return std::nullopt;
    for (std::size_t p = team->first; p < team->first + team->parts; ++p) {
      if (view_.parts[p].role == piece.role) return p;
    }
    return std::nullopt;
  }

  /// All pods of one domain stand in it: those of a role, of a set of roles, or of the gang.
  bool stands_together(const std::string& level, const Who& who, const Place& place) {
    if (level.empty()) return true;
    const auto domain = place.nodes->domains.find(level);
    if (domain == place.nodes->domains.end()) return false;
    return domains_.emplace(who, domain->second).first->second == domain->second;
  }

  std::string look_at_nodes(std::size_t from, std::size_t end) {
    const Place* place = place_of(*pieces_[from]);
    if (place == nullptr) return "pods on nodes that there are not";
    Sizes left = place->has;
    std::set<std::size_t> gangs;
    for (std::size_t i = from; i < end; ++i) {
      const Piece& piece = *pieces_[i];
      const std::optional<std::size_t> p = part_of(piece);
      if (!p || piece.nodes != pieces_[from]->nodes || piece.pods <= 0) return "pods of nobody";
      const Part& part = view_.parts[*p];
      const Team& team = view_.teams[part.gang];
      if (!view_.may_stand(part, *place)) return "a pod where it may not stand";
      if (piece.pods > part.pods || piece.nodes > part.pods) return "more pods than there are";
      for (std::size_t r = 0; r < left.size(); ++r) left[r] -= part.asks[r] * piece.pods;
      if (std::ranges::any_of(left, [](std::int64_t amount) { return amount < 0; })) return "more than a node has";
      if (team.as->one_per_node && team.apart && (piece.pods > 1 || !gangs.insert(part.gang).second))
        return "two pods on a node that takes one";
      const bool of_one = std::ranges::all_of(part.as->within, [&](const auto& set) {
        return stands_together(set.first, {part.gang, 0, set.first + "\n" + set.second}, *place);
      });
      if (!of_one || !stands_together(part.as->domain, {part.gang, *p + 1, ""}, *place) ||
          !stands_together(team.as->domain, {part.gang, 0, ""}, *place))
        return "pods out of their domain";
      if ((placed_[*p] += piece.pods * piece.nodes) > part.pods) return "more pods than there are";
    }
    return "";
  }

  const View& view_;
  std::vector<const Piece*> pieces_;
  std::map<std::size_t, std::int64_t> placed_;  ///< by part
  std::map<Who, std::string> domains_;
};

/// The queues and the quotas of the pools let all of these in at a time.
bool are_let_in(const View& view, const std::vector<std::size_t>& teams) {
  std::map<std::size_t, std::int64_t> queues;
  for (const std::size_t t : teams) {
    const Team& team = view.teams[t];
    if (team.queue && (queues[*team.queue] += team.gpus) > view.world->queues[*team.queue].gpus) return false;
  }
  for (const std::size_t pool : view.result->pools) {
    const Located<std::int64_t>& quota = view.world->pools[pool].quota;
    std::int64_t sum = 0;
    for (const std::size_t t : teams) sum += view.teams[t].by_quota ? view.gpus_in(view.teams[t], pool) : 0;
    if (quota.is_set() && sum > quota.value) return false;
  }
  return true;
}

std::int64_t nodes_of(const View& view) {
  std::int64_t nodes = 0;
  for (const Place& place : view.places) nodes += place.count;
  return nodes;
}

/// Slots of a part on all empty nodes.
std::int64_t slots_of_part(const View& view, const Part& part) {
  std::int64_t slots = 0;
  for (const Place& place : view.places) slots += place.count * view.room(part, place);
  return slots;
}

/// Components take their nodes in turn, whichever they like: what those before can cost one leaves it enough.
std::string components_disturb(const View& view, const Team& team) {
  for (std::size_t later = team.first; later < team.first + team.parts; ++later) {
    const Part& part = view.parts[later];
    std::int64_t lost = 0;
    for (std::size_t p = team.first; p < later; ++p) {
      const Part& other = view.parts[p];
      const bool meet = std::ranges::any_of(
          view.places, [&](const Place& place) { return view.may_stand(part, place) && view.may_stand(other, place); });
      if (!meet) continue;
      std::int64_t of_one = team.apart ? 1 : 0;
      for (std::size_t r = 0; r < 3 && !team.apart; ++r) {
        if (other.asks[r] > 0 && part.asks[r] > 0)
          of_one = std::max(of_one, other.asks[r] / part.asks[r] + (other.asks[r] % part.asks[r] > 0 ? 1 : 0));
      }
      lost += of_one * other.pods;
    }
    if (!part.as->domain.empty() || !part.as->within.empty() || !team.as->domain.empty())
      return "components that share a domain";
    if (slots_of_part(view, part) - lost < part.pods)
      return "the first components of `" + team.as->name.value + "` may take the nodes of a later one";
  }
  return "";
}

/// Node by node: each component takes the nodes that stand first. Where that is one of several ways it says so.
std::string components_starve(const View& view, const Team& team) {
  std::vector<std::pair<const Place*, bool>> nodes;  // whether it is taken
  for (const Place& place : view.places) {
    for (std::int64_t i = 0; i < place.count; ++i) nodes.emplace_back(&place, false);
  }
  const Place* like = nullptr;
  for (std::size_t p = team.first; p < team.first + team.parts; ++p) {
    const Part& part = view.parts[p];
    if (!part.as->domain.empty() || !part.as->within.empty() || !team.as->domain.empty() || !team.as->one_per_node)
      return "components that share";
    std::vector<std::size_t> free;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      if (view.may_stand(part, *nodes[n].first)) {
        like = like == nullptr ? nodes[n].first : like;
        if (nodes[n].first->has != like->has || nodes[n].first->pool != like->pool) return "nodes that are not alike";
      }
      if (!nodes[n].second && view.room(part, *nodes[n].first) > 0) free.push_back(n);
    }
    const std::size_t wanted = static_cast<std::size_t>(part.pods);
    if (free.size() < wanted) return "a component that finds too few nodes";
    if (free.size() > wanted && free.back() - free.front() + 1 != free.size()) return "several runs of free nodes";
    for (std::size_t i = 0; i < wanted; ++i) nodes[free[i]].second = true;
  }
  return "";
}

CheckAnswer each_fits(const View& view, const std::vector<std::set<std::size_t>>& sets) {
  for (std::size_t t = 0; t < view.teams.size(); ++t) {
    const Team& team = view.teams[t];
    const std::string& name = team.as->name.value;
    const auto is_whole = [&](const std::set<std::size_t>& whole) { return whole.contains(t); };
    // The certificate has them in this order.
    if (!(t < sets.size() && is_whole(sets[t])) && std::ranges::none_of(sets, is_whole))
      return refused("`" + name + "` has no placement");
    if (!are_let_in(view, {t})) return refused("`" + name + "` is never admitted");
    if (team.as->mechanism != Mechanism::OrderedAtomic) continue;
    std::string why = components_disturb(view, team);
    if (!why.empty() && team.as->takes == NodesTaken::First && nodes_of(view) <= kMostNodesLookedAt)
      why = components_starve(view, team);
    if (!why.empty()) return refused(why);
  }
  return {};
}

CheckAnswer admitted_fit(const View& view, const std::vector<std::set<std::size_t>>& sets) {
  std::vector<std::size_t> admitted;
  for (std::size_t t = 0; t < view.teams.size(); ++t) {
    if (view.teams[t].by_quota && are_let_in(view, {t})) admitted.push_back(t);
  }
  const auto fit = [&](const std::vector<std::size_t>& teams) {
    return std::ranges::any_of(sets, [&](const std::set<std::size_t>& whole) {
      return std::ranges::all_of(teams, [&](std::size_t t) { return whole.contains(t); });
    });
  };
  if (fit(admitted)) return {};
  if (admitted.size() > kMostAdmitted) return refused("more gangs are admitted than have a placement");
  for (const std::size_t pool : view.result->pools) {
    if (!view.world->pools[pool].quota.is_set()) return refused("a pool without a quota");
  }
  for (std::size_t set = 1; set < std::size_t{1} << admitted.size(); ++set) {
    std::vector<std::size_t> teams;
    for (std::size_t i = 0; i < admitted.size(); ++i) {
      if ((set >> i & 1) != 0) teams.push_back(admitted[i]);
    }
    if (are_let_in(view, teams) && !fit(teams)) return refused("gangs that are admitted together have no placement");
  }
  return {};
}

}  // namespace

CheckAnswer check_fits(View& view) {
  std::map<std::size_t, std::vector<const Piece*>> pieces;
  for (const Piece& piece : view.result->certificate.fills) pieces[piece.set].push_back(&piece);
  std::vector<std::set<std::size_t>> sets;
  for (auto& [number, of_set] : pieces) {
    OneSet set(view, std::move(of_set));
    if (const std::string wrong = set.run(); !wrong.empty()) return refused(wrong);
    sets.push_back(set.whole());
  }
  return view.result->property == Property::Placeable ? each_fits(view, sets) : admitted_fit(view, sets);
}

}  // namespace muster::check
