#!/bin/bash
#SBATCH --job-name=zero
#SBATCH --nodes=2 --ntasks-per-node=1 --gpus-per-node=8 --exclusive --time=04:00:00
set -euo pipefail
export NCCL_DEBUG=WARN
set -a
HF_HOME=/fast/hf
set +a
export HF_HUB_CACHE="$HOME/.cache/huggingface/hub"
export UCX_TLS=rc
if [ -n "$OFFLINE" ]; then export WANDB_MODE=offline; fi
scontrol show hostnames "$SLURM_JOB_NODELIST" | sed 's/$/ slots=8/' > "hosts.$SLURM_JOB_ID"
deepspeed --hostfile "hosts.$SLURM_JOB_ID" --master_port $((24000 + SLURM_JOB_ID % 8000)) zero.py --steps 100
