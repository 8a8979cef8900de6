#!/bin/bash
#SBATCH --nodes=3
#SBATCH packjob
#SBATCH --nodes=3
#SBATCH packjob
# finding: sbatch-het-order-starves
#SBATCH --partition=low --nodes=2
srun hostname
