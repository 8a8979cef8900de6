#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=1 --cpus-per-task=8 --time=1:00:00
set -e
srun -c 8 python train.py --out "runs/$SLURM_JOB_ID" 2>&1 | tee train.log   # finding: sbatch-status-lost
date
