#!/bin/bash
#SBATCH --ntasks=1 --nodelist=gpu[1-2] --cpus-per-task=4 --time=1-0
#SBATCH --gpus=16   # finding: sbatch-gpus-beyond-tasks
srun --cpus-per-task=4 train
