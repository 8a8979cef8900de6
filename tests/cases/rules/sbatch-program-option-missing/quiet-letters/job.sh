#!/bin/bash
#SBATCH --nodes=1 --ntasks=1 --time=01:00:00
python fit.py --data d -vf 3
