#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=8 --gpus-per-node=8 --cpus-per-task=8 --exclusive --time=1-0
srun bash -c 'export RANK=$SLURM_PROCID; python train.py'   # finding: sbatch-step-cpus-not-inherited
