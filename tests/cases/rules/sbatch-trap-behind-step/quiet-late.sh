#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=1 --cpus-per-task=8 --time=1:00:00 --signal=B:USR1@300
srun -c 8 simulate -o out
trap 'stop=1' USR1
mkdir -p kept
