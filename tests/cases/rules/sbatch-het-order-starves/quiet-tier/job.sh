#!/bin/bash
#SBATCH --partition=all --nodes=5
#SBATCH hetjob
#SBATCH --partition=low --nodes=5
srun hostname
