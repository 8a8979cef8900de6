#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=2
#SBATCH --gpus-per-node=4
#SBATCH --cpus-per-task=16
#SBATCH --mem-per-cpu=4G
#SBATCH --time=03:00:00
srun -N 1 -n 1 python serve.py &  # finding: sbatch-step-cpus-not-inherited
sleep 5
srun -N 1 -n 1 --gpus-per-node=0 python ask.py  # finding: sbatch-step-cpus-not-inherited
