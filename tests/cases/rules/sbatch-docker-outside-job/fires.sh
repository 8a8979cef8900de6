#!/bin/bash
# finding: sbatch-docker-outside-job
#SBATCH --gres=gpu:1 --cpus-per-task=8 --time=1:00:00
docker run --rm --gpus all lab/train python3 train.py
