#!/bin/bash
#SBATCH --gpus-per-node=1 --cpus-per-task=8 --time=1:00:00
srun --cpus-per-task=8 ./solve
mv result.out "$HOME"
