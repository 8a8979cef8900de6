#!/bin/bash
#SBATCH --job-name=parts
#SBATCH --nodes=1
#SBATCH --ntasks=4
#SBATCH --cpus-per-task=8
#SBATCH --gpus-per-node=4
#SBATCH --mem=200G
#SBATCH --time=04:00:00
for part in a b c d; do
  # silenced by: srun --exact --ntasks=1 --cpus-per-task=8 --gpus=1 --mem=50G ./part "$part" > "$part.log" &
  srun --exact --ntasks=1 --cpus-per-task=8 --gpus=1 ./part "$part" > "$part.log" &   # finding: sbatch-step-waits-for-memory
done
wait   # finding: sbatch-status-lost
