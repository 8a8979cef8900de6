#!/bin/bash
#SBATCH --time=60 --ntasks=1
#SBATCH --array=1-8%1
python fit.py --resume
