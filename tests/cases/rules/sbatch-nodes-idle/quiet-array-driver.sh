#!/bin/bash
#SBATCH --job-name=relax --output=relax-%A_%a.out
#SBATCH --nodes=2 --ntasks-per-node=64 --time=0:30:00 --array=1-20
export ASE_COMMAND="srun solver"
python relax.py $SLURM_ARRAY_TASK_ID
