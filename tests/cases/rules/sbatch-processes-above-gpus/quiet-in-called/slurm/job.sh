#!/bin/bash
#SBATCH --nodes=1
#SBATCH --gpus-per-node=4
#SBATCH --cpus-per-task=32
#SBATCH --time=1:00:00
srun bash slurm/train.sh   # finding: sbatch-step-cpus-not-inherited
