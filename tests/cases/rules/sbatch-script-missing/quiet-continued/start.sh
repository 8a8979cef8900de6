#!/bin/bash
sed "s/NAME/a/" job.in \
  > evaluate.sh && \
  sbatch --partition=gpu \
  --time=1:00:00 \
  evaluate.sh
