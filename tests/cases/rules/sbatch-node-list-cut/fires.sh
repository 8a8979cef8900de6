#!/bin/bash
#SBATCH --time=1:00:00 --nodes=4 --ntasks-per-node=1 --gpus-per-node=4 --cpus-per-task=32 --exclusive
export MASTER_ADDR=$(echo $SLURM_JOB_NODELIST | cut -d, -f1)   # finding: sbatch-node-list-cut
srun --cpus-per-task=32 python train.py
