#!/bin/bash
#SBATCH --gpus-per-node=1 --cpus-per-task=8 --time=1-0
source "$(dirname "$0")/env.sh"   # finding: sbatch-script-folder-is-spool
python train.py
