#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=1 --cpus-per-task=8 --time=1:00:00
# silenced by: #SBATCH --signal=TERM@120
#SBATCH --signal=SIGUSR1@120   # finding: sbatch-signal-to-no-step
source venv/bin/activate
python train.py
