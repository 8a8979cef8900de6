#!/bin/bash
#SBATCH --job-name=parts --nodes=1 --gres=gpu:1 --cpus-per-task=8 --time=1:00:00
#SBATCH --output=parts-%j.out
while true; do
  [[ $tries -ge 5 ]] && break
  srun python run.py --seed 1 && break
  tries=$((tries + 1))
done
for f in a b c; do
  mkdir -p out_$n
  n=$((n + 1))
done
