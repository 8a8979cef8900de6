#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=1 --cpus-per-task=8
#SBATCH --container-image=registry.example.org:5443\#team/image:24.07
#SBATCH --comment="run#3"
#SBATCH --time=1:00:00#one-hour
#SBATCH --job-name=run# the third of them
#SBATCH --export=#{names}
#SBATCH --error=##LOG##
#SBATCH --output=run-%j.log #all
srun -c 8 python train.py
