#!/bin/bash
#SBATCH --gpus-per-node=8 --cpus-per-gpu=4
#SBATCH --time=60
hostname
