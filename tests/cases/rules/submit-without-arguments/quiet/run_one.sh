#!/bin/bash
#SBATCH --time=1:00:00
set -euo pipefail
srun ./analyse "$1" "$2"
