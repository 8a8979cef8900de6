#!/bin/bash
#SBATCH --job-name=zero
#SBATCH --nodes=2 --ntasks-per-node=1 --gpus-per-node=8 --exclusive --time=04:00:00
set -euo pipefail
export NCCL_DEBUG=WARN
export HF_HOME=/fast/hf HF_HUB_OFFLINE=1
export WANDB_MODE=offline
scontrol show hostnames "$SLURM_JOB_NODELIST" | sed 's/$/ slots=8/' > "hosts.$SLURM_JOB_ID"
deepspeed --launcher slurm --hostfile "hosts.$SLURM_JOB_ID" --master_port $((24000 + SLURM_JOB_ID % 8000)) zero.py --steps 100
