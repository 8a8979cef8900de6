#!/bin/bash
#SBATCH --nodes=1 --ntasks-per-node=1 --gpus-per-node=4 --cpus-per-gpu=8 --time=1:00:00
# finding: sbatch-launcher-given-shell
srun torchrun --standalone --nproc-per-node=4 --event-log-handler null bash train.sh
