#!/bin/bash
#SBATCH --ntasks=16 --time=1-0   # finding: sbatch-tasks-without-srun
python analyse.py --threads 16
