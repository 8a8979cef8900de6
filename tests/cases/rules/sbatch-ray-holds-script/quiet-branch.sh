#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --gpus-per-node=4 --cpus-per-task=32 --time=1:00:00
nodes=($(scontrol show hostnames "$SLURM_JOB_NODELIST"))
port=$((20000 + SLURM_JOB_ID % 20000))
if [ "$ROLE" = head ]; then
  ray start --num-cpus=8 --head --port=$port --block
else
  timeout 600 ray start --num-cpus=8 --address "${nodes[0]}:$port" --block
  srun --overlap ray status
fi
