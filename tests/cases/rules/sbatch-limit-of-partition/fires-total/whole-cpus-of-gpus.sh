#!/bin/bash
#SBATCH --exclusive --nodes=2 --gpus-per-node=2 --time=60 --cpus-per-gpu=1
#SBATCH --ntasks=12   # finding: sbatch-tasks-beyond-gpus
srun train
