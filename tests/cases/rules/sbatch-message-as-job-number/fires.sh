#!/bin/bash
# silenced by: FIRST=$(sbatch --parsable --time=1:00:00 --wrap "./prepare")
FIRST=$(sbatch --time=1:00:00 --wrap "./prepare")   # finding: sbatch-message-as-job-number
sbatch --time=1:00:00 --dependency=afterok:$FIRST --wrap "./train"
