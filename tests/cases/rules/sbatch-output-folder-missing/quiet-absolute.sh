#!/bin/bash
#SBATCH --time=1:00:00
#SBATCH --output=/scratch/logs/%j.out
srun hostname
