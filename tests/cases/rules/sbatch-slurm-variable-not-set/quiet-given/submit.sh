#!/bin/bash
SCRIPT=${SCRIPT:-train.sh}
for n in 1 2; do
  sbatch --nodes=$n \
    --ntasks-per-node=4 --gres=gpu:4 --time=1:00:00 \
    "jobs/$SCRIPT"
done
