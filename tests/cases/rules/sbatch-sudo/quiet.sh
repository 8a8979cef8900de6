#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=4 --cpus-per-task=16 --time=1:00:00
sudo -n nvidia-smi -pm 1
srun --cpus-per-task=16 python a.py
