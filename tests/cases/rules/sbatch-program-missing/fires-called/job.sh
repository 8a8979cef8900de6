#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --gpus-per-node=4 --cpus-per-task=32 --time=01:00:00
srun --cpus-per-task=32 bash start_all.sh
