#!/bin/bash
#SBATCH --time=60 --ntasks=1
#SBATCH --mem-per-cpu=32   # finding: sbatch-memory-tiny
python fit.py
