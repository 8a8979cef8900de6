#!/bin/bash
#SBATCH --nodes=1 --ntasks-per-node=1 --cpus-per-task=32 --gpus-per-node=1 --mem=200G --time=01:00:00
srun --cpus-per-task=32 ./serve.sh   # finding: sbatch-server-above-gpus
