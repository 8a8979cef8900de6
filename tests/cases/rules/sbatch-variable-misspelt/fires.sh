#!/bin/bash
#SBATCH --nodes=1 --ntasks-per-node=1 --gpus-per-node=1 --cpus-per-gpu=8 --time=1-0
while [ $# -gt 0 ]; do
  case $1 in
    --scale) SCALE=$2; shift 2 ;;
  esac
done
NAME="run-${scale}"   # finding: sbatch-variable-misspelt
srun python train.py --name "$NAME"
