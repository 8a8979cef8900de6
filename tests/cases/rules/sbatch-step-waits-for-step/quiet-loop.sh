#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --exclusive
#SBATCH --time=01:00:00
for node in 0 1; do
  srun --nodes=1 --ntasks=1 --relative="$node" ./part "$node" &
done
wait
for part in 0 1; do
  if [ "$part" = 1 ]; then srun --ntasks=2 ./part "$part" & fi
done
wait
