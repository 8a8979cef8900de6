#!/bin/bash
#SBATCH --job-name=train
#SBATCH --nodes=2 --ntasks-per-node=1 --gpus-per-node=4
#SBATCH --exclusive
#SBATCH --time=04:00:00
mapfile -t nodes < <(scontrol show hostnames "$SLURM_JOB_NODELIST")
HEAD=${nodes[0]}
srun -N 1 -n 1 -w "$HEAD" ray start --head --port=6379 --block &
sleep 20
# silenced by: srun --overlap --nodes=1 --ntasks=1 -w "$HEAD" ray status
srun --nodes=1 --ntasks=1 -w "$HEAD" ray status   # finding: sbatch-step-waits-for-step
