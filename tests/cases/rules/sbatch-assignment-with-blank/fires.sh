#!/bin/bash
#SBATCH --time=1:00:00 --gpus-per-node=1 --cpus-per-task=8 --mem=40G
OUT_FOLDER = /scratch/run   # finding: sbatch-assignment-with-blank
mkdir -p $OUT_FOLDER
python train.py
