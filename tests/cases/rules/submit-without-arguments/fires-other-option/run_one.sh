#!/bin/bash
#SBATCH --time=1:00:00
set -euo pipefail
set +o pipefail
srun ./analyse "$1"
