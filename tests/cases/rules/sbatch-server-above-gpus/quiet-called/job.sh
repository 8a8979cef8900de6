#!/bin/bash
#SBATCH --nodes=1 --ntasks-per-node=1 --cpus-per-task=32 --gpus-per-node=2 --mem=200G --time=01:00:00
srun --cpus-per-task=32 ./serve.sh 2
