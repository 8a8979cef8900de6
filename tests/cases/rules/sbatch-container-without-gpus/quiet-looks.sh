#!/bin/bash
#SBATCH --job-name=a --nodes=1 --ntasks=1 --time=01:00:00
#SBATCH --gpus=1 --cpus-per-task=8
apptainer exec image.sif hostname
./solver
