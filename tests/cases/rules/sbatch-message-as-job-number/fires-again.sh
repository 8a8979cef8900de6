#!/bin/bash
job=$(sbatch --time=1:00:00 --wrap ./prepare)   # finding: sbatch-message-as-job-number
for width in 256 512; do
  job=$(sbatch --parsable --time=1:00:00 --dependency=afterok:"$job" --wrap "./train $width")
done
