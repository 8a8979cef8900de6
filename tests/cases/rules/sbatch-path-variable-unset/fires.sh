#!/bin/bash
#SBATCH --time=1:00:00 --gpus-per-node=1 --cpus-per-task=8 --mem=40G
set -euo pipefail
export PYTHONPATH=$PWD/src:$PYTHONPATH   # finding: sbatch-path-variable-unset
python train.py
