#!/bin/bash
#SBATCH --gpus-per-node=2 --cpus-per-task=16 --time=1-0
MASTER_PORT=29500
echo "port: $MASTER_PORT"
srun python train.py   # finding: sbatch-step-cpus-not-inherited
