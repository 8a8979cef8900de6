#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=4
#SBATCH --gpus-per-node=4 --cpus-per-task=16 --time=1-0
export MASTER_ADDR=localhost   # finding: sbatch-master-addr-own-node
srun python train.py   # finding: sbatch-step-cpus-not-inherited
