#!/bin/bash
#SBATCH --gpus-per-node=1 --cpus-per-task=8 --time=1-0
HERE="${SLURM_SUBMIT_DIR:-$(dirname "$0")}"
python "$HERE/train.py"
