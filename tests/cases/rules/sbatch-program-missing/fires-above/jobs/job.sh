#!/bin/bash
#SBATCH --nodes=2
#SBATCH --gpus-per-node=4
#SBATCH --cpus-per-task=32
#SBATCH --ntasks-per-node=1
#SBATCH --time=01:00:00
source ../env/bin/activate
srun --cpus-per-task=32 python ../data-parallel/fit_cifar.py
# finding: sbatch-program-missing
srun --cpus-per-task=32 python ../multi-node/fit_cifar.py --epochs 10
