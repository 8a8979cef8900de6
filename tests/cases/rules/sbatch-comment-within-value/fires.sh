#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=1 --cpus-per-task=8 --time=1:00:00
# finding: sbatch-comment-within-value
#SBATCH --container-image=registry.example.org:5443#team/image:24.07
# finding: sbatch-comment-within-value
#SBATCH --job-name run#3
srun -c 8 python train.py
