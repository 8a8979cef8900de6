#!/bin/bash
#SBATCH --time 3-00
%(mail)s
#SBATCH --output logs/%%x-%%j.log
#SBATCH --mem=6G
srun python3 train.py
