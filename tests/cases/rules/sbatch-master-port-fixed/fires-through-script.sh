#!/bin/bash
#SBATCH --nodes=1 --ntasks=1 --gpus-per-node=1 --cpus-per-task=8 --time=1-0
MASTER_PORT=29500   # finding: sbatch-master-port-fixed
export MASTER_PORT
srun bash start.sh   # finding: sbatch-step-cpus-not-inherited
