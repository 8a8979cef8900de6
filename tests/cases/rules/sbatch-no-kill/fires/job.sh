#!/bin/bash
# finding: sbatch-no-kill
#SBATCH --nodes=4 --no-kill
srun train
