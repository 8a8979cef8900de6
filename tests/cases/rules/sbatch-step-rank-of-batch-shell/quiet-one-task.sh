#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --gpus-per-node=8 --cpus-per-gpu=8 --time=1-0
srun --nodes=1 --ntasks=1 python warm_up.py --rank $SLURM_PROCID
srun python train.py
