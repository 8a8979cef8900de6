#!/bin/bash
#SBATCH --time=1:00:00
#SBATCH --output=/logs/%j/out.txt   # finding: sbatch-output-folder-of-job
#SBATCH --error=/scratch/%A/err.txt   # finding: sbatch-output-folder-of-job
srun hostname
