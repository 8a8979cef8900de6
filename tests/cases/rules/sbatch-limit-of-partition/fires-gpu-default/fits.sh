#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=8 --cpus-per-task=16 --time=1-0 --mem=800G
srun --cpus-per-task=16 train
