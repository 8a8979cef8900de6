#!/bin/bash
#SBATCH --time=60 --ntasks=1
#SBATCH --array=1-8   # finding: sbatch-array-all-alike
python fit.py --out result
