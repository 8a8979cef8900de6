#include "gang/judge_coupling.h"

#include <algorithm>

#include "base/capped.h"
#include "gang/coupling.h"

namespace muster {
namespace {

/// A launcher and one pod that it starts on: whatever it starts with, nobody else is waited for.
bool only_one_works(const Gang& gang) {
  std::int64_t pods = 0;
  bool helped = false;
  for (const Role& role : gang.roles) {
    helped = helped || role.helper;
    if (role.helper) continue;
    if (!role.count.known()) return false;
    pods = add_capped(pods, role.count.value);
  }
  return helped && pods <= 1;
}

/// What the templates say, and the first that says a collective.
CouplingEvidence evidence_of(const std::vector<PodTemplate>& templates) {
  CouplingEvidence best;
  for (const PodTemplate& pod_template : templates) {
    CouplingEvidence found = read_coupling(pod_template);
    if (found.verdict == CouplingEvidence::Verdict::Coupled || best.verdict == CouplingEvidence::Verdict::None)
      best = std::move(found);
    if (best.verdict == CouplingEvidence::Verdict::Coupled) break;
  }
  return best;
}

}  // namespace

void judge_coupling(PodWorkload& work, bool shares) {
  using Verdict = CouplingEvidence::Verdict;
  Gang& gang = work.gang;
  bool accelerators = false;
  std::int64_t pods = 0;  // those with accelerators
  for (const Role& role : gang.roles) {
    if (!role.accelerator.is_set() && !role.gpus_each.unknown()) continue;
    accelerators = true;
    pods = add_capped(pods, role.count.known() ? role.count.value : 2);
  }
  const CouplingEvidence best = evidence_of(work.templates);
  // A minimum of all the pods that there are leaves none to do without.
  const Located<std::int64_t> there = total_of(gang);
  const bool all = there.known() && best.least >= there.value;
  if (best.elastic) gang.elastic = set_to(!all, best.where, "--nnodes");
  // Whatever a controller would allow: this many processes wait for each other.
  if (best.fixed && !best.elastic) gang.elastic = set_to(false, best.where, "--nnodes");
  const bool by_kind = work.coupling == PodWorkload::Coupling::ByKind;
  const bool alone = best.verdict == Verdict::Independent || shares;
  if (best.verdict == Verdict::Coupled && !only_one_works(gang)) {
    gang.tightly_coupled = set_to(true, best.where, "command");
    gang.evidence.push_back(best.what);
  } else if (const Span program = by_kind ? lone_program_in(work.templates) : Span{}; program.placed()) {
    gang.tightly_coupled = set_to(false, program, "command");
  } else if (by_kind) {
    gang.tightly_coupled = defaulted_to(true, gang.where, "kind");
  } else if (alone || !accelerators || pods < 2 || work.coupling == PodWorkload::Coupling::NeverByItself) {
    gang.tightly_coupled = defaulted_to(false, gang.where);
  } else {
    judge_by_shape(gang);
  }
  gang.works_alone = alone;
  if (gang.elastic.state == State::Absent) gang.elastic = defaulted_to(false, gang.where);
}

}  // namespace muster
