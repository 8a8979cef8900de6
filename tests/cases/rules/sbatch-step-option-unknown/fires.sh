#!/bin/bash
#SBATCH --ntasks=4 --time=1:00:00
srun --ntasks_per_node=4 ./model   # finding: sbatch-step-option-unknown
srun --cores-per-task 4 ./model   # finding: sbatch-step-option-unknown
