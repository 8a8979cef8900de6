#!/bin/bash
# finding: sbatch-array-of-components
#SBATCH --array=1-4 --nodes=1   # finding: sbatch-array-all-alike
#SBATCH hetjob
#SBATCH --nodes=2
srun train
