#!/bin/bash
#SBATCH --partition=gpu --nodes=1 --gpus-per-node=4 --cpus-per-task=64 --time=1:00:00
# silenced by: #SBATCH --exclusive --mem=0
#SBATCH --exclusive   # finding: sbatch-exclusive-with-default-memory
build
