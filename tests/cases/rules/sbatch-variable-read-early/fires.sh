#!/bin/bash
# finding: sbatch-variable-read-early
jobs=$(sbatch --parsable --array=0-9 --time=1:00:00 \
  --wrap="impute chunks/part_${SLURM_ARRAY_TASK_ID}.csv")
sbatch --time=1:00:00 --dependency=afterok:"$jobs" --wrap="merge out"
