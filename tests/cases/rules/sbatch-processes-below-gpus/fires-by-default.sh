#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=2 --cpus-per-task=16 --time=1-0
# finding: sbatch-processes-below-gpus
torchrun train.py   # finding: sbatch-launcher-port-default
