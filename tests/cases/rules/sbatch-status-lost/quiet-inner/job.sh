#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --gpus-per-node=8 --cpus-per-task=56 --time=1:00:00
srun --cpus-per-task=56 ./inner.sh
