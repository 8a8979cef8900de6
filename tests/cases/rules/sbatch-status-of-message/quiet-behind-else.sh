#!/bin/bash
#SBATCH --gpus-per-node=1 --cpus-per-task=8 --time=1:00:00 --output=%x-%j.out
if [ -f done.txt ]; then
  srun -c 8 python train.py
else
  echo "nothing to go on from"
fi
if [ $? -ne 0 ]; then
  exit 1
fi
for seed in 1 2; do
  srun -c 8 python train.py --seed $seed
  if [ -f report.md ]; then
    echo "saved"
  fi
done
status=$?
exit $status
