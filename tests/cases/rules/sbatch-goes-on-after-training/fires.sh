#!/bin/bash
#SBATCH --time=1-0 --gpus-per-node=1 --cpus-per-task=8
python train.py --epochs 200
python evaluate.py   # finding: sbatch-goes-on-after-training
