#!/bin/bash
JOB=$(sbatch --parsable train.sbatch)
sbatch --dependency=afterok:$JOB evaluate.sbatch   # finding: sbatch-script-missing
