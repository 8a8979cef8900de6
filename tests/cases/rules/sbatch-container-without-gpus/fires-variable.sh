#!/bin/bash
#SBATCH --time=1:00:00 --gpus-per-node=1 --cpus-per-task=8 --mem=40G
SIF=/images/train.sif
srun --cpus-per-task=8 apptainer run --bind /data $SIF python train.py   # finding: sbatch-container-without-gpus
