#!/bin/bash
#SBATCH --nodes=2 --gpus-per-node=8 --exclusive --time=1-0
python warm_up.py
$LAUNCHER python train.py
