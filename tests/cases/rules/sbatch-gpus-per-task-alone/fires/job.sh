#!/bin/bash
# finding: sbatch-gpus-per-task-alone
#SBATCH --gpus-per-task=1
hostname
