#!/bin/bash
# SBATCH --nodes=2   # finding: sbatch-mark-with-blank
# SBATCH --time=1:00:00
srun hostname
