#!/bin/bash
#SBATCH --nodes=1 --ntasks-per-node=1 --gpus-per-node=2 --cpus-per-task=16 --time=1:00:00
export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK   # finding: sbatch-threads-for-each-process
srun --cpus-per-task=16 torchrun --standalone --nproc_per_node=2 train.py
