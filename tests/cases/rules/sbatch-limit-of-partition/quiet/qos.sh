#!/bin/bash
#SBATCH --nodes=3 --gpus-per-node=8 --cpus-per-task=64 --time=2-0 --qos=long
srun train   # finding: sbatch-step-cpus-not-inherited
