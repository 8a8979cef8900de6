#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1
#SBATCH --gpus-per-node=8 --cpus-per-task=64 --time=1-0
srun -N 1 -n 1 -w "$FIRST" torchrun --nnodes=2 --nproc_per_node=8 --node_rank=0 --master_addr=$FIRST train.py &   # finding: sbatch-step-cpus-not-inherited
srun -N 1 -n 1 -w "$SECOND" torchrun --nnodes=2 --nproc_per_node=8 --node_rank=1 --master_addr=$FIRST train.py &   # finding: sbatch-step-cpus-not-inherited
wait   # finding: sbatch-status-lost
