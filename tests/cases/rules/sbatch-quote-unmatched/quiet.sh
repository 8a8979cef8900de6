#!/bin/bash
#SBATCH --job-name="train"  # it's the big one
#SBATCH --comment=it\'s
#SBATCH --comment='a " b'   # finding: sbatch-option-twice
#SBATCH --comment="a \" b"
#SBATCH --time=60
srun hostname
