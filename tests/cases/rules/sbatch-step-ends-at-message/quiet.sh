#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --time=1:00:00
srun --ntasks=2 echo "on each node" && echo done
srun --ntasks=2 bash -c 'echo start && hostname'
srun --ntasks=2 python train.py && python eval.py
srun --ntasks=2 echo "on each node"
hostname   # finding: sbatch-status-lost
