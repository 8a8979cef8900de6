#!/bin/bash
#SBATCH --partition=all --nodes=6
#SBATCH hetjob
#SBATCH --partition=high --nodes=4
srun hostname
