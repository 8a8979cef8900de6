#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=4 --cpus-per-task=16 --time=1:00:00
export OMP_NUM_THREADS=4   # finding: sbatch-environment-cleaned
srun --cpus-per-task=16 apptainer exec --nv --cleanenv train.sif python a.py
