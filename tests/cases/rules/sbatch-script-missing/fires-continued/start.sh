#!/bin/bash
# finding: sbatch-script-missing
sbatch \
  --partition=gpu \
  --time=1:00:00 \
  evaluate.sh
