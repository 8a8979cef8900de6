#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --gpus-per-node=4 --cpus-per-task=32 --time=1-0
head=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
port=$((20000 + SLURM_JOB_ID % 20000))
export SRUN_CPUS_PER_TASK=$SLURM_CPUS_PER_TASK
# finding: sbatch-world-below-gpus
srun bash -c 'accelerate launch --multi_gpu --num_machines=2 --num_processes=4 --machine_rank=$SLURM_NODEID \
  --main_process_ip='$head' --main_process_port='$port' train.py'
