#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --gpus-per-node=8 --cpus-per-task=64 --exclusive --time=1-0
HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
# finding: sbatch-nnodes-missing
srun torchrun --nproc_per_node=8 --rdzv_backend=c10d --rdzv_endpoint=$HEAD:29500 train.py   # finding: sbatch-step-cpus-not-inherited
