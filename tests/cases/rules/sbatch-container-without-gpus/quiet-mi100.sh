#!/bin/bash
#SBATCH --nodes=1 --ntasks=1 --cpus-per-task=8 --time=01:00:00
#SBATCH --gpus-per-node=mi100:1
apptainer exec namd.sif namd3 +p8 run.namd
