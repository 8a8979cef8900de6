#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=4 --cpus-per-task=16 --time=1-0
export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK   # finding: sbatch-threads-above-cpus
torchrun --standalone --nproc_per_node=4 train.py
