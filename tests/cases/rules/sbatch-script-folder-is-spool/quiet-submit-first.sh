#!/bin/bash
#SBATCH --time=1:00:00
set -euo pipefail
HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
ROOT="${SLURM_SUBMIT_DIR:-$HERE}"
cd "$ROOT"
srun ./analyse
