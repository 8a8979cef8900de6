#!/bin/bash
# finding: sbatch-docker-outside-job
#SBATCH --time=1:00:00 --gpus-per-node=1 --cpus-per-task=8 --mem=40G
docker run -v /data:/data -it --rm --gpus all trainer:1 python train.py   # finding: sbatch-docker-terminal
