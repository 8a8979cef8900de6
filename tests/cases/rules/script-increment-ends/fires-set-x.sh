#!/bin/bash
set -exo pipefail
set +x
set +u
set +o pipefail
total=0
for seed in 1 2 3; do
  sbatch train.sh "$seed"
  ((total++))   # finding: script-increment-ends
done
echo "$total"
