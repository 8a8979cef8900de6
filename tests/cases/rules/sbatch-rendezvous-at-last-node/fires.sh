#!/bin/bash
#SBATCH --job-name=train
#SBATCH --nodes=2 --ntasks-per-node=1 --gpus-per-node=4 --cpus-per-task=16
#SBATCH --exclusive
#SBATCH --time=04:00:00
# silenced by: MASTER=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
MASTER=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | tail -n 1)
# finding: sbatch-rendezvous-at-last-node
srun --cpus-per-task=16 bash -c "torchrun --nnodes=2 --nproc_per_node=4 --node_rank=\$SLURM_PROCID --master_addr=$MASTER --master_port=$((20000 + SLURM_JOB_ID % 20000)) train.py"
