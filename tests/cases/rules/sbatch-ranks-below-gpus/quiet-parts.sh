#!/bin/bash
#SBATCH --job-name=tune-pipeline
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=4
#SBATCH --cpus-per-task=16
#SBATCH --time=04:00:00
export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
export MASTER_PORT=$((20000 + SLURM_JOB_ID % 10000))
export WORLD_SIZE=$SLURM_NTASKS
srun -c 16 bash -c "RANK=\$SLURM_PROCID LOCAL_RANK=\$SLURM_LOCALID python tune.py --steps 100"
