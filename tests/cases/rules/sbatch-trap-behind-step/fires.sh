#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=1 --cpus-per-task=8 --time=1:00:00 --signal=B:USR1@300
again() {
  scontrol requeue "$SLURM_JOB_ID"
}
trap again USR1
# silenced by: srun -c 8 simulate -o out & wait
srun -c 8 simulate -o out   # finding: sbatch-trap-behind-step
