#!/bin/bash
#SBATCH --gres=gpu:1 --cpus-per-task=8 --time=1:00:00
docker build -t lab/train .
apptainer build train.sif docker-daemon:lab/train
