#!/bin/bash
#SBATCH --time=1:00:00 --gpus-per-node=1 --cpus-per-task=8 --mem=40G
# The GPU is for the program behind it.
singularity exec convert.sif convert a b
python train.py
