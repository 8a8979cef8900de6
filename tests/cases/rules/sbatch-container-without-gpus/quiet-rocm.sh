#!/bin/bash
#SBATCH --nodes=1
#SBATCH --gpus-per-node=8
#SBATCH --cpus-per-task=7
#SBATCH --ntasks-per-node=8
#SBATCH --time=01:00:00
module load craype-accel-amd-gfx90a
srun --cpus-per-task=7 --gpus-per-task=1 apptainer exec pytorch.sif ./run.sh
