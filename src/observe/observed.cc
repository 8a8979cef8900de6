#include "observe/observed.h"

#include <algorithm>

#include "observe/judge.h"
#include "observe/slurm.h"
#include "observe/snapshot.h"
#include "observe/units.h"

namespace muster {

bool Observed::is_stuck() const {
  return std::ranges::any_of(gangs, [](const ObservedGang& gang) { return gang.state == GangState::Stuck; }) ||
         std::ranges::any_of(jobs, &ObservedJob::stuck);
}

bool Observed::is_open() const {
  return std::ranges::any_of(gangs, [](const ObservedGang& gang) { return gang.state == GangState::Undecided; });
}

Observed observe(const SourceMap& sources, const KnownRows& known) {
  Snapshot snapshot = read_snapshot(sources, known);
  Observed out;
  out.kubernetes = snapshot.kubernetes;
  out.slurm = snapshot.slurm;
  if (snapshot.slurm) judge_jobs(snapshot, out);
  if (snapshot.kubernetes) judge_gangs(snapshot, make_units(snapshot), out);
  out.findings = std::move(snapshot.findings);
  out.unknown = std::move(snapshot.unknown);
  return out;
}

}  // namespace muster
