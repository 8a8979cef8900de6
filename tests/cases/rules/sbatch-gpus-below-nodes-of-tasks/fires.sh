#!/bin/bash
#SBATCH --gpus=2 --ntasks=4 --ntasks-per-node=1 --cpus-per-gpu=8 --time=1:00:00   # finding: sbatch-gpus-below-nodes-of-tasks
srun -c 8 hostname
