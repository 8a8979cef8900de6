#!/bin/bash
#SBATCH --time=1:00:00 --gpus-per-node=1 --cpus-per-task=8 --mem=40G
srun --cpus-per-task=8 docker exec --interactive --tty trainer python train.py   # finding: sbatch-docker-terminal
