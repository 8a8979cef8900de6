#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --time=1:00:00
set -e
HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
srun ray symmetric-run --address "$HEAD:6379" --min-nodes "$SLURM_NNODES" --num-gpus 4 -- python train.py --block
srun ray symmetric-run $OPTIONS -- python train.py
srun ray symmetric-run --help
echo ray symmetric-run
srun ray symmetric-run --disable-usage-stats "${MORE[@]}" -- python train.py
