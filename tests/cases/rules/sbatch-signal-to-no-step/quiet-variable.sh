#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=1 --cpus-per-task=8 --time=1:00:00 --signal=USR1@120
python warm_up.py
$LAUNCH train.py
