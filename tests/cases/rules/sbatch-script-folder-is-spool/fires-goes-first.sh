#!/bin/bash
#SBATCH --time=1:00:00
set -euo pipefail
HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"   # finding: sbatch-script-folder-is-spool
ROOT="$(cd "$HERE/../.." && pwd)"
cd "$ROOT"
OUT="${OUT:-${SLURM_SUBMIT_DIR:-$ROOT}/out}"
srun ./analyse "$OUT"
