#!/bin/bash
#SBATCH --nodes=1 --cpus-per-task=8 --time=1-0 --nodelist=gpu2
#SBATCH --gpus=4
srun train   # finding: sbatch-step-cpus-not-inherited
