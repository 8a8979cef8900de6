#!/bin/bash
#SBATCH --partition=all --nodes=5
#SBATCH hetjob
# unknown: sbatch-het-order-starves
#SBATCH --partition=low --nodes=5
srun hostname
