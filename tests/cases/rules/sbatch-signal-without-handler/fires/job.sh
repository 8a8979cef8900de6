#!/bin/bash
#SBATCH --nodes=1 --ntasks-per-node=4 --gpus-per-node=4 --cpus-per-task=8 --time=1-0
# silenced by: #SBATCH --signal=TERM@600
#SBATCH --signal=USR2@600   # finding: sbatch-signal-without-handler
srun -c 8 python fit.py
