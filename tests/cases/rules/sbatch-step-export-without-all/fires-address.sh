#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=1 --cpus-per-task=8 --time=1:00:00
export MASTER_PORT=$((20000 + SLURM_JOB_ID % 20000))
srun -c 8 --export OMP_NUM_THREADS=8,NCCL_DEBUG=INFO /opt/train/run   # finding: sbatch-step-export-without-all
