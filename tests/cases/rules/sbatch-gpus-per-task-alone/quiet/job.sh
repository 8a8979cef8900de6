#!/bin/bash
#SBATCH --gpus-per-task=1 --ntasks=8
#SBATCH --time=60
hostname
