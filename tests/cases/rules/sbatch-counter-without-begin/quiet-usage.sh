#!/bin/bash
#SBATCH --job-name=parts --nodes=1 --gres=gpu:1 --cpus-per-task=8 --time=1:00:00
#SBATCH --output=parts-%j.out
# usage: sbatch --export=ALL,FIRST=3 job.sh
while [ $FIRST -lt 10 ]; do
  srun python run.py --part $FIRST
  FIRST=$((FIRST + 1))
done
