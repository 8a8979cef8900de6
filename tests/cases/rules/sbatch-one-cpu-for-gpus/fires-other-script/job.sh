#!/bin/bash
#SBATCH --gres=gpu:1 --time=5:00   # finding: sbatch-one-cpu-for-gpus
bash elsewhere.sh
