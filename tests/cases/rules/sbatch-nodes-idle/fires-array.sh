#!/bin/bash
#SBATCH --job-name=years --output=years-%A_%a.out
# finding: sbatch-nodes-idle
#SBATCH --nodes=4
#SBATCH --cpus-per-task=4 --time=0:30:00 --array=0-82
python resample.py --year $((1940 + SLURM_ARRAY_TASK_ID))
