#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=8 --gres=gpu:8 --cpus-per-task=8 --time=1:00:00
srun --kill-on-bad-exit=1 bash run.sh   # finding: sbatch-step-cpus-not-inherited
