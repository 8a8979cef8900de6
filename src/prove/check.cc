#include <algorithm>

#include "prove/check_view.h"

namespace muster {
namespace check {
namespace {

using Kind = ProofCertificate::Kind;

/// More than its queue or the quota of a pool ever admits.
bool is_never_admitted(const View& view, const Team& team) {
  if (team.queue && team.gpus > view.world->queues[*team.queue].gpus) return true;
  return std::ranges::any_of(view.result->pools, [&](std::size_t pool) {
    const Located<std::int64_t>& quota = view.world->pools[pool].quota;
    return quota.is_set() && view.gpus_in(team, pool) > quota.value;
  });
}

CheckAnswer check_nothing_to_do(const View& view) {
  if (view.result->property != Property::QuotaConsistent)
    return view.teams.empty() ? CheckAnswer{} : refused("there is something to do");
  for (const Team& team : view.teams) {
    if (team.by_quota && !is_never_admitted(view, team)) return refused("the quota admits somebody");
  }
  return {};
}

CheckAnswer check_whole_commits(const View& view) {
  if (view.result->property == Property::Placeable || view.result->property == Property::QuotaConsistent)
    return refused("whole commits say nothing of what fits");
  if (view.faults > 0) return refused("whole commits say nothing of lost pods");
  for (const Team& team : view.teams) {
    if (can_be_short(team, view.result->property)) return refused("`" + team.as->name.value + "` can be short");
  }
  return {};
}

/// What a gang asks for and the world does not state stands against all that is not whole by commit.
bool rests_on_the_nodes(const View& view) {
  const Kind kind = view.result->certificate.kind;
  return kind != Kind::NothingToDo && kind != Kind::WholeCommits;
}

/// Single pods of it may be taken away by gangs that the world does not have.
bool is_taken_apart(const View& view, const Team& team) {
  const bool of_gangs =
      view.result->property == Property::AllOrNothing || view.result->property == Property::NoDeadlock;
  return of_gangs && team.as->coupled && !team.as->taken_apart.empty();
}

/// Of gangs of which nobody says whether their pods wait for each other, what is shown for pods that do stands for
/// others where each was placed by itself: then no state is new. So see_them_placed_alone() has it.
bool stands_for_pods_that_work_alone(const View& view) {
  const bool of_capacity =
      view.result->property == Property::Placeable || view.result->property == Property::QuotaConsistent;
  if (of_capacity || !rests_on_the_nodes(view)) return true;
  const auto is_open = [](const Team& team) { return team.as->coupled && !team.as->may_work_alone.empty(); };
  if (std::ranges::none_of(view.teams, is_open)) return true;
  return !view.any_serial() && std::ranges::all_of(view.teams, [&](const Team& team) {
    return !team.as->preempts && (!is_open(team) || team.together == 1);
  });
}

CheckAnswer check_kind(View& view) {
  const bool of_capacity =
      view.result->property == Property::Placeable || view.result->property == Property::QuotaConsistent;
  switch (view.result->certificate.kind) {
    case Kind::NothingToDo: return check_nothing_to_do(view);
    case Kind::WholeCommits: return check_whole_commits(view);
    case Kind::Sums:
      if (view.result->property == Property::Placeable) break;
      return of_capacity ? check_quota_sums(view) : check_sums(view);
    case Kind::Bound:
      if (of_capacity) break;
      return check_bound(view);
    case Kind::Fits:
      if (!of_capacity) break;
      return check_fits(view);
    case Kind::AllStates:
      if (of_capacity) break;
      return check_states(view);
    case Kind::None: return refused("there is no certificate");
  }
  return refused("a certificate that shows nothing of this property");
}

}  // namespace
}  // namespace check

CheckAnswer check_proof(const World& world, const ProofResult& result, std::int64_t faults, std::int64_t work) {
  if (result.verdict != Verdict::Holds) return check::refused("it is not said to hold");
  check::View view = check::view_of(world, result, faults, work);
  if (!view.wrong.empty()) return check::refused(view.wrong);
  if (check::rests_on_the_nodes(view)) {
    for (const check::Team& team : view.teams) {
      if (!team.as->beyond.empty()) return check::refused("`" + team.as->name.value + "` asks for more than is stated");
    }
  }
  for (const check::Team& team : view.teams) {
    if (check::is_taken_apart(view, team))
      return check::refused("pods of `" + team.as->name.value + "` may be evicted");
  }
  if (!check::stands_for_pods_that_work_alone(view)) return check::refused("pods of a gang may work alone");
  return check::check_kind(view);
}

}  // namespace muster
