#!/bin/bash
first="$(sbatch --time=1:00:00 --wrap ./prepare)"   # finding: sbatch-message-as-job-number
# finding: sbatch-message-as-job-number
second=$(sbatch \
  --time=1:00:00 \
  --dependency="afterok:${first}" --wrap ./train)
sbatch --time=1:00:00 -d afterany:$first:$second --wrap ./report
