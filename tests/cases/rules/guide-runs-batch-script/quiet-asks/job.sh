#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=8
#SBATCH --gpus-per-node=8
#SBATCH --exclusive
#SBATCH --time=01:00:00
if [ -z "$SLURM_JOB_ID" ]; then
  echo 'start me in a job' >&2
  exit 1
fi
srun ./all_reduce_perf
