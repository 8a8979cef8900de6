#!/bin/bash
#SBATCH --nodes=1
#SBATCH hetjob
#SBATCH --nodes=2
srun --het-group=0,1 train
