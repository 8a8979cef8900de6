#!/bin/bash
set -e
set +xe
total=0
for seed in 1 2 3; do
  sbatch train.sh "$seed"
  ((total++))
done
echo "$total"
