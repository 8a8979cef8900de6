#!/bin/bash
#SBATCH --job-name=a --nodes=1 --ntasks=1 --time=01:00:00
if [ "${SBATCH_NETWORK:-}" == "sharp" ]; then
  echo sharp
fi
srun ./solver "$SLURM_NETWORK"
