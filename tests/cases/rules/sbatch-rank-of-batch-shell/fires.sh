#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=8 --gpus-per-node=8 --cpus-per-task=8 --exclusive --time=1-0
export RANK=$SLURM_PROCID   # finding: sbatch-rank-of-batch-shell
srun python train.py   # finding: sbatch-step-cpus-not-inherited
