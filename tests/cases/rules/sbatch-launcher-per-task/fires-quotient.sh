#!/bin/bash
#SBATCH --nodes=1 --gres=gpu:2 --cpus-per-task=8 --time=1-0
# finding: sbatch-launcher-per-task
#SBATCH --ntasks=2
EACH=$(($SLURM_NTASKS / $SLURM_JOB_NUM_NODES))
srun torchrun --standalone --nnodes=${SLURM_JOB_NUM_NODES} --nproc_per_node=${EACH} train.py   # finding: sbatch-step-cpus-not-inherited
