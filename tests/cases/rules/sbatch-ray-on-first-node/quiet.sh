#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1 --gpus-per-node=8 --cpus-per-task=16 --time=4:00:00 --exclusive
ray start --head --port=6379 --block &
srun --nodes=1 --ntasks=1 --exclude=$(hostname) --cpus-per-task=16 ray start --address "$(hostname):6379" --block
