#!/bin/bash
# finding: sbatch-variable-read-early
sbatch --nodes=2 --time=1:00:00 --wrap="srun python train.py --seed ${SLURM_ARRAY_TASK_ID}"
