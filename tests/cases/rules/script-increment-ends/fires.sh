#!/bin/bash
set -euo pipefail
total=0
failed=0
for seed in 1 2 3; do
  sbatch train.sh "$seed"
  ((total++))   # finding: script-increment-ends
  ((total++))
  if [ "$seed" = 2 ]; then
    # finding: script-increment-ends
    let failed++
  fi
done
echo "$total jobs, $failed"
