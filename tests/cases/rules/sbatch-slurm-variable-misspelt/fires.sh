#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --gpus-per-node=8 --cpus-per-task=8 --time=1-0
# finding: sbatch-slurm-variable-misspelt
srun torchrun --nnodes=$SLURM_JOB_NUM_NODE --nproc_per_node=8 --rdzv_backend=c10d --rdzv_endpoint=$HEAD:29500 train.py   # finding: sbatch-step-cpus-not-inherited
