#!/bin/bash
#SBATCH --job-name=convert --time=4:00:00 --ntasks=1 --cpus-per-task=8 --mem=64G
FAILED=0
for model in a b c; do
  if ! python convert.py "$model"; then
    PASSED=$((PASSED + 1))
  fi
done
echo "passed: $PASSED"
