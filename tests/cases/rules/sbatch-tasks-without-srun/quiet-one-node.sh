#!/bin/bash
#SBATCH --nodes=1 --ntasks=16 --time=1-0
python analyse.py
