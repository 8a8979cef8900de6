#!/bin/bash
#SBATCH --time=1-0 --gpus-per-node=1 --cpus-per-task=8
##SBATCH --signal=B:USR1@60
trap "scontrol requeue $SLURM_JOB_ID" USR1   # finding: sbatch-trap-never-reached
python train.py &
wait $!
