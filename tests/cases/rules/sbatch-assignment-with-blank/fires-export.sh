#!/bin/bash
#SBATCH --time=1:00:00 --gpus-per-node=1 --cpus-per-task=8 --mem=40G
export HF_HOME= /scratch/models   # finding: sbatch-assignment-with-blank
python train.py
