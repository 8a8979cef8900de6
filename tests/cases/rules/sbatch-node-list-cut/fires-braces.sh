#!/bin/bash
#SBATCH --time=1:00:00 --nodes=4 --ntasks-per-node=1 --gpus-per-node=4 --cpus-per-task=32 --exclusive
HOST=${SLURM_NODELIST%%,*}   # finding: sbatch-node-list-cut
export MASTER_ADDR=$HOST
srun --cpus-per-task=32 python train.py
