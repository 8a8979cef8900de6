#include <algorithm>
#include <array>

#include "base/capped.h"
#include "observe/judge.h"

namespace muster {
namespace {

constexpr std::array<std::string_view, 4> kEverywhere{"cpu", "ephemeral-storage", "memory", "pods"};
constexpr std::int64_t kPlenty = std::int64_t{1} << 60;
constexpr std::int64_t kMostLooks = 50'000'000;  // of pods with rules of their own at nodes

void add_to(Amounts& sum, const Amounts& more, std::int64_t sign) {
  for (std::size_t r = 0; r < sum.size(); ++r) sum[r] = add_capped(sum[r], sign * more[r]);
}

bool takes_room(const PodRecord& pod) { return pod.state == PodState::Bound && !pod.node.empty(); }

}  // namespace

Board::Board(const Snapshot& snapshot, const std::vector<PodUnit>& units) : snapshot_(snapshot), units_(units) {
  for (std::size_t u = 0; u < units.size(); ++u) {
    if (units[u].candidate && !units[u].gated && units[u].gpus_known &&
        (units[u].shown.gpus > 0 || units[u].wanted_gpus > 0))
      candidates_.push_back(u);
  }
  find_resources();
  find_nodes();
  for (const std::size_t unit : candidates_) add(unit);
}

/// Only what somebody waits for matters.
void Board::find_resources() {
  column_.assign(snapshot_.resources.size(), -1);
  for (const std::size_t unit : candidates_) {
    for (const PodRecord* pod : units_[unit].pods) {
      if (pod->state != PodState::Pending) continue;
      for (const auto& [resource, amount] : pod->asks) {
        if (column_[resource] < 0) column_[resource] = static_cast<std::int32_t>(columns_++);
      }
    }
  }
}

Amounts Board::dense(const Asks& asks) const {
  Amounts out(columns_, 0);
  for (const auto& [resource, amount] : asks) {
    if (column_[resource] >= 0) out[static_cast<std::size_t>(column_[resource])] = amount;
  }
  return out;
}

/// A node that the input does not describe has nothing free.
void Board::find_nodes() {
  for (const auto& [name, node] : snapshot_.nodes) {
    numbers_[name] = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back(node.marks);
    Amounts& free = now_.free.emplace_back(dense(node.capacity));
    // Every node has these; one that does not say how much is no node without.
    for (std::uint32_t r = 0; r < column_.size(); ++r) {
      if (column_[r] < 0 || std::ranges::find(kEverywhere, snapshot_.resources.text_of(r)) == kEverywhere.end())
        continue;
      const bool said = std::ranges::any_of(node.capacity, [&](const auto& entry) { return entry.first == r; });
      if (!said) free[static_cast<std::size_t>(column_[r])] = kPlenty;
    }
  }
  for (const auto& [key, pod] : snapshot_.pods) {
    if (!takes_room(pod)) continue;
    const auto [at, fresh] = numbers_.try_emplace(pod.node, static_cast<std::uint32_t>(nodes_.size()));
    if (fresh) {
      ++strangers_;
      nodes_.push_back({pod.node, {}, {}, false});
      now_.free.emplace_back(columns_, 0);
    } else if (nodes_[at->second].known) {
      add_to(now_.free[at->second], dense(pod.asks), -1);
    }
  }
}

std::size_t Board::choice_of(const PodRecord& pod) {
  const auto [at, fresh] = choices_.try_emplace(pod.choice.key(), now_.choices.size());
  if (!fresh) return at->second;
  std::vector<std::uint32_t>& allowed = now_.choices.emplace_back();
  looks_ += static_cast<std::int64_t>(nodes_.size());
  too_large_ = too_large_ || looks_ > kMostLooks;
  for (std::uint32_t node = 0; node < nodes_.size() && !too_large_; ++node) {
    if (pod.choice.allows(nodes_[node])) allowed.push_back(node);
  }
  return at->second;
}

void Board::add(std::size_t number) {
  const PodUnit& unit = units_[number];
  WaitGang gang;
  gang.gpus = unit.shown.gpus;
  std::map<std::uint32_t, Amounts> holds;
  std::map<std::pair<std::size_t, Amounts>, std::pair<std::int64_t, std::int64_t>> wants;  // GPUs of one, pods
  for (const PodRecord* pod : unit.pods) {
    if (takes_room(*pod))
      add_to(holds.try_emplace(numbers_.at(pod->node), columns_, 0).first->second, dense(pod->asks), 1);
    if (pod->state != PodState::Pending) continue;
    auto& [gpus, pods] = wants[{choice_of(*pod), dense(pod->asks)}];
    gpus = pod->gpus;
    ++pods;
  }
  for (auto& [node, amounts] : holds) gang.holds.push_back({node, std::move(amounts)});
  // Of more pods than it needs those that ask for the most wait longest.
  std::int64_t surplus = unit.shown.pending - unit.missing;
  std::vector<std::pair<std::int64_t, WaitDemand>> demands;
  for (auto& [kind, count] : wants) demands.push_back({count.first, {kind.second, count.second, kind.first}});
  std::ranges::stable_sort(demands, [](const auto& a, const auto& b) { return a.first > b.first; });
  for (auto& [gpus, demand] : demands) {
    const std::int64_t dropped = std::min(surplus, demand.pods);
    demand.pods -= dropped;
    surplus -= dropped;
    if (demand.pods > 0) gang.wants.push_back(std::move(demand));
  }
  now_.gangs.push_back(std::move(gang));
}

WaitWorld Board::after_all_ends() const {
  WaitWorld out = now_;
  for (std::size_t u = 0; u < units_.size(); ++u) {
    // One that nobody schedules keeps what it has.
    const bool stays = units_[u].candidate && units_[u].gated;
    if (stays || std::ranges::binary_search(candidates_, u) || units_[u].ends == Ends::No) continue;
    for (const PodRecord* pod : units_[u].pods) {
      if (takes_room(*pod)) add_to(out.free[numbers_.at(pod->node)], dense(pod->asks), 1);
    }
  }
  return out;
}

bool Board::never_fits(const WaitWorld& world, std::size_t gang) const {
  std::vector<char> evicted(world.gangs.size(), 1);
  evicted[gang] = 0;
  std::int64_t budget = kMostLooks;
  const WaitOutcome progress = progress_of(world, evicted, budget);
  return !progress.stuck.empty() && !progress.gave_up;
}

}  // namespace muster
