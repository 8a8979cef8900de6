#pragma once

#include "observe/observed.h"
#include "observe/snapshot.h"

namespace muster {

/// What Slurm's jobs hold and wait for. Slurm allocates a job as a whole, so that no job can hold a part of what it
/// needs; what a suspended one keeps, and a heterogeneous one that is started in part, can still stop others.
void judge_jobs(const Snapshot& snapshot, Observed& out);

}  // namespace muster
