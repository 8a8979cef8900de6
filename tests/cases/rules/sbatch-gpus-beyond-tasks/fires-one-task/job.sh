#!/bin/bash
#SBATCH --ntasks=1 --nodes=2 --cpus-per-task=4 --time=1-0   # finding: sbatch-fewer-tasks-than-nodes
#SBATCH --gpus=16   # finding: sbatch-gpus-beyond-tasks
srun --cpus-per-task=4 train
