#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1
#SBATCH --gpus-per-node=8 --cpus-per-task=64 --time=1-0
for host in $(scontrol show hostnames "$SLURM_JOB_NODELIST" | tail -n +2); do
  ssh "$host" "cd $PWD && ./worker.sh" &
done
torchrun --nnodes=2 --nproc_per_node=8 --rdzv_backend=c10d --rdzv_endpoint=$MASTER_ADDR:29500 train.py
