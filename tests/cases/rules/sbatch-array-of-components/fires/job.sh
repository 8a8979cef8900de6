#!/bin/bash
# finding: sbatch-array-of-components
#SBATCH --array=1-4 --nodes=1
#SBATCH hetjob
#SBATCH --nodes=2
srun --het-group=0,1 train
