#!/bin/bash
# finding: sbatch-gpus-per-task-alone
#SBATCH --gpus-per-task=1 --cpus-per-task=4
#SBATCH --time=60
hostname
