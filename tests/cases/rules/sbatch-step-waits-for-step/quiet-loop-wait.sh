#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=4
#SBATCH --gpus-per-node=4
#SBATCH --cpus-per-task=8
#SBATCH --time=01:00:00
for part in 0 1 2 3; do
  srun --ntasks=1 --gpus=1 ./part "$part" &
  wait $!
done
