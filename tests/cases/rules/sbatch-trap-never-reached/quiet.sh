#!/bin/bash
#SBATCH --time=1-0 --gpus-per-node=1 --cpus-per-task=8
#SBATCH --signal=B:USR1@60
trap "scontrol requeue $SLURM_JOB_ID" USR1
trap "rm -rf scratch" EXIT
python train.py &
wait $!
