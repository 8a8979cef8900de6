#!/bin/bash
#SBATCH --job-name=make-data
#SBATCH --array=1-75
#SBATCH --time=00:10:00
#SBATCH --output=logs-%A_%a.out
mkdir -p data
srun python3 -m tools.make_data --out data
