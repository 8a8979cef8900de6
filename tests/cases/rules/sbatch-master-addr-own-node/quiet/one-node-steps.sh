#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=4
#SBATCH --gpus-per-node=4 --cpus-per-task=16 --time=1-0
export MASTER_ADDR=localhost
srun -N 1 -n 4 python a.py &   # finding: sbatch-step-cpus-not-inherited
srun -N 1 -n 4 python b.py &   # finding: sbatch-step-cpus-not-inherited
wait   # finding: sbatch-status-lost
