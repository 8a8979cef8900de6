#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --gpus-per-node=8 --cpus-per-task=64 --exclusive --time=1-0
HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
# finding: sbatch-node-rank-missing
srun torchrun --nnodes=2 --nproc_per_node=8 --master_addr=$HEAD --master_port=29500 train.py   # finding: sbatch-step-cpus-not-inherited
