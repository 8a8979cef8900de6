#!/bin/bash
#SBATCH --time=1:00:00 --nodes=4 --ntasks-per-node=1 --gpus-per-node=4 --cpus-per-task=32 --exclusive
FIRST=$(echo $SLURM_JOB_NODELIST | cut -d, -f1)
export MASTER_ADDR=${FIRST//[}
HOSTS=$(scontrol show hostnames $SLURM_JOB_NODELIST | paste -sd, | cut -d, -f1)
srun --cpus-per-task=32 python train.py
