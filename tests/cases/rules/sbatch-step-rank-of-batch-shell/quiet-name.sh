#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --gpus-per-node=8 --cpus-per-gpu=8 --time=1-0
srun python train.py --log "logs/rank-$SLURM_PROCID.txt"
