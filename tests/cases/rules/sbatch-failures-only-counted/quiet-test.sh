#!/bin/bash
#SBATCH --job-name=convert --time=4:00:00 --ntasks=1 --cpus-per-task=8 --mem=64G
FAILED=0
for model in a b c; do
  if ! python convert.py "$model"; then
    FAILED=$((FAILED + 1))
  fi
done
[ "$FAILED" -eq 0 ]
