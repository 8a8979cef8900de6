#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1
#SBATCH --gpus-per-node=8 --cpus-per-task=64 --time=1-0
scontrol show hostnames "$SLURM_JOB_NODELIST" | sed 's/$/ slots=8/' > "hosts.$SLURM_JOB_ID"
deepspeed --hostfile="hosts.$SLURM_JOB_ID" --num_nodes=2 --num_gpus=8 train.py
