#!/bin/bash
# finding: sbatch-output-folder-made-late
#SBATCH -e ./runs/err/%j
#SBATCH --gpus-per-node=1 --cpus-per-task=8 --time=1-0
mkdir -p "$SLURM_SUBMIT_DIR/runs/err" checkpoints
srun --cpus-per-task=8 python train.py
