#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1
#SBATCH --gpus-per-node=4 --cpus-per-task=16 --time=1-0
python warm_up.py
srun python train.py   # finding: sbatch-step-cpus-not-inherited
