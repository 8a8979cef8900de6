#!/bin/bash
#SBATCH --job-name=folds
#SBATCH --nodes=1 --ntasks=1 --cpus-per-task=16 --gpus-per-node=4 --time=04:00:00
start() {
  python tune.py &
}
start
hold
