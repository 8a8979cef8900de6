#!/bin/bash
#SBATCH --time=1-0 --gpus-per-node=1 --cpus-per-task=8
trap "touch saved" USR1
(sleep 3600; kill -USR1 $$) &
python train.py
