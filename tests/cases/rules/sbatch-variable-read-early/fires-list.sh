#!/bin/bash
# finding: sbatch-variable-read-early
sbatch --array=0-9 --time=1:00:00 --wrap "impute $(sed -n "${SLURM_ARRAY_TASK_ID}p" list.txt)"
