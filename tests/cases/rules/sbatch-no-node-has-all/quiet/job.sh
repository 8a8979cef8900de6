#!/bin/bash
#SBATCH -p all --nodes=4 --cpus-per-task=8 --time=1-0 --gpus-per-node=8 --constraint=ib
srun train   # finding: sbatch-step-cpus-not-inherited
