#!/bin/bash
#SBATCH --time=1:00:00 --gpus-per-node=1 --cpus-per-task=8 --mem=40G
set -u
module load cuda
export LD_LIBRARY_PATH=/opt/lib:$LD_LIBRARY_PATH
python train.py
