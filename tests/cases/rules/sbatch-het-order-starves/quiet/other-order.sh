#!/bin/bash
#SBATCH --partition=low --nodes=5
#SBATCH hetjob
#SBATCH --partition=all --nodes=5
srun hostname
