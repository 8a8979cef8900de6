#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=1 --cpus-per-task=8 --time=1:00:00
module load python/3.11
# silenced by: srun -c 8 --export=ALL,OMP_NUM_THREADS=8 python train.py
srun -c 8 --export=OMP_NUM_THREADS=8 python train.py   # finding: sbatch-step-export-without-all
