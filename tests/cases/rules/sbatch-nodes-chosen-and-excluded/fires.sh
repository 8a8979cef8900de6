#!/bin/bash
#SBATCH --gpus=1 --cpus-per-task=8 --time=1:00:00
#SBATCH --nodelist=n1 --exclude=n1,n2   # finding: sbatch-nodes-chosen-and-excluded
python train.py
