#!/bin/bash
#SBATCH --nodes=1
#SBATCH --gpus-per-node=2
#SBATCH --cpus-per-task=16
#SBATCH --time=1:00:00
# finding: sbatch-processes-above-gpus
srun bash slurm/train.sh   # finding: sbatch-step-cpus-not-inherited
