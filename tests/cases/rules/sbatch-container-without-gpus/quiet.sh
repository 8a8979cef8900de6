#!/bin/bash
#SBATCH --time=1:00:00 --gpus-per-node=1 --cpus-per-task=8 --mem=40G
apptainer exec $APPTAINER_OPTIONS train.sif python train.py
