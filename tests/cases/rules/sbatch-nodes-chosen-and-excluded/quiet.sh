#!/bin/bash
#SBATCH --gpus=1 --cpus-per-task=8 --time=1:00:00
#SBATCH --nodelist=n1,n3 --exclude=n1,n2
python train.py
