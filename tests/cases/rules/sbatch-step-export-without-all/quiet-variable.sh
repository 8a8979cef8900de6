#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=1 --cpus-per-task=8 --time=1:00:00
export SLURM_EXPORT_ENV=ALL
module load python/3.11
srun -c 8 --export=OMP_NUM_THREADS=8 python train.py
