#!/bin/bash
set -euo pipefail
sbatch run_one.sh in out
sbatch run_default.sh
sbatch run_lax.sh
sbatch "$RUN" run_one.sh
sbatch --array=1-3 run_one.sh "$@"
