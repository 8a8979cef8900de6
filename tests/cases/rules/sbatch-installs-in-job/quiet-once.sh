#!/bin/bash
#SBATCH --time=1-0 --gpus-per-node=1 --cpus-per-task=8
if [ ! -d env ]; then
  conda create -p env python=3.12
fi
conda list
python train.py
