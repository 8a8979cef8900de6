#!/bin/bash
#SBATCH --time=1:00:00
#SBATCH --output=/logs/%x-%j.txt
#SBATCH --error=/scratch/%x-%j.err
srun hostname
