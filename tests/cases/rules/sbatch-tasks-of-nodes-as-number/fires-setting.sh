#!/bin/bash
#SBATCH --time=1:00:00 --nodes=4 --ntasks-per-node=1 --gpus-per-node=4 --cpus-per-task=32 --exclusive
export OMP_NUM_THREADS=$SLURM_JOB_CPUS_PER_NODE   # finding: sbatch-tasks-of-nodes-as-number
srun --cpus-per-task=32 python train.py
