#!/bin/bash
#SBATCH --job-name=parts
#SBATCH --nodes=1 --ntasks=4 --cpus-per-task=8 --gpus-per-node=4 --mem=200G --time=04:00:00
pids=()
for part in a b c d; do
  srun --exact -n 1 -c 8 --gpus=1 ./part "$part" &   # finding: sbatch-step-waits-for-memory
  pids+=($!)
done
failed=0
for pid in "${pids[@]}"; do
  wait "$pid" || failed=1
done
exit $failed
