#!/bin/bash
#SBATCH -p cpu,gpu --nodes=1 --cpus-per-task=8 --time=1-0 --gpus=8
srun train   # finding: sbatch-step-cpus-not-inherited
