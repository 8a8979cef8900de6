#!/bin/bash
#SBATCH --gpus-per-node=1 --cpus-per-task=8 --time=1-0
HERE=$(dirname "$0")
echo "$(scontrol show job "$SLURM_JOB_ID" | sed -n 's/.*Command=//p')" > place.txt
python "$HERE/train.py"
