#!/bin/bash
#SBATCH --nodes=1 --time=1:00:00 --exclusive
mkdir -p "${RESULTS}/logs"   # finding: sbatch-default-after-use
export RESULTS=${RESULTS:-/data/results}
srun ./solve "$RESULTS"
