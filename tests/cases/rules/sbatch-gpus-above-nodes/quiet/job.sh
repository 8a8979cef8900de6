#!/bin/bash
#SBATCH --nodes=2 --cpus-per-task=8 --time=1-0 --gpus=h100:16
srun train   # finding: sbatch-step-cpus-not-inherited
