#!/bin/bash
#SBATCH --gpus-per-node=2 --cpus-per-task=16 --time=1-0
export MASTER_PORT=29500   # finding: sbatch-master-port-fixed
srun python train.py   # finding: sbatch-step-cpus-not-inherited
