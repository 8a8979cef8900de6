#!/bin/bash
#SBATCH --nodes=1 --cpus-per-task=8 --time=1-0 --partition=GPU --clusters=other
srun simulate   # finding: sbatch-step-cpus-not-inherited
