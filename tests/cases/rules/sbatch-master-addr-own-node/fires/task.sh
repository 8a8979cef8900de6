#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=4
#SBATCH --gpus-per-node=4 --cpus-per-task=16 --time=1-0
# finding: sbatch-master-addr-own-node
srun bash -c 'export MASTER_ADDR=$(hostname); python train.py'   # finding: sbatch-step-cpus-not-inherited
