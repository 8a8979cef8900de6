#!/bin/bash
#SBATCH --partition=all --nodes=5
#SBATCH hetjob
# finding: sbatch-het-order-starves
#SBATCH --partition=low --nodes=5
srun hostname
