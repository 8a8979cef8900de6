#!/bin/bash
#SBATCH --job-name=parts --nodes=1 --gres=gpu:1 --cpus-per-task=8 --time=1:00:00
#SBATCH --output=parts-%j.out
while [ $CHUNK -lt 10 ]; do
  srun python run.py --chunk $CHUNK
  CHUNK=$((CHUNK + 1))
done
