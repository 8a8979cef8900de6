#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=4 --cpus-per-task=32 --time=1:00:00
bash train.sh
