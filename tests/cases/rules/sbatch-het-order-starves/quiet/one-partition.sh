#!/bin/bash
#SBATCH --partition=all --nodes=3
#SBATCH hetjob
#SBATCH --partition=all --nodes=7
srun hostname
