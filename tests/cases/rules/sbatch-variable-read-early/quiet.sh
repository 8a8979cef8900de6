#!/bin/bash
sbatch --array=0-9 --time=1:00:00 --wrap='impute chunks/part_${SLURM_ARRAY_TASK_ID}.csv'
sbatch --array=0-9 --time=1:00:00 --wrap="impute chunks/part_\${SLURM_ARRAY_TASK_ID}.csv -A $SLURM_ACCOUNT"
sbatch --time=1:00:00 --wrap="merge ${SLURM_CPUS_PER_TASK:-8}"
