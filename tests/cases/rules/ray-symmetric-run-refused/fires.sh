#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --time=1:00:00
set -e
HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
# finding: ray-symmetric-run-refused
srun ray symmetric-run --num-nodes="$SLURM_NNODES" -- python train.py
# finding: ray-symmetric-run-refused
srun ray symmetric-run --address "$HEAD:6380" --min-nodes 2 python train.py
# finding: ray-symmetric-run-refused
srun ray symmetric-run --address "$HEAD:6381" --block --min-nodes 2 -- python train.py
