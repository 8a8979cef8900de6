#!/bin/bash
#SBATCH --signal=B:USR1@120   # finding: sbatch-signal-without-trap
#SBATCH --gpus-per-node=1 --cpus-per-task=8 --time=1-0
srun python train.py   # finding: sbatch-step-cpus-not-inherited
