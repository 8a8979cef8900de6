#!/bin/bash
#SBATCH --job-name=tune
#SBATCH --nodes=1 --ntasks=1 --cpus-per-task=16 --gpus-per-node=4 --time=04:00:00
apptainer exec --nv --bind /data, /models tune.sif python tune.py   # finding: sbatch-mounts-with-blank
