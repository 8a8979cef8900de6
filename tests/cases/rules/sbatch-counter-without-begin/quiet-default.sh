#!/bin/bash
#SBATCH --job-name=pair --nodes=2 --ntasks-per-node=1 --gres=gpu:4 --cpus-per-task=32 --time=1:00:00
#SBATCH --output=pair-%j.out
: "${NODE_RANK:=0}"
head=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
for node in $(scontrol show hostnames "$SLURM_JOB_NODELIST"); do
  export NODE_RANK=$NODE_RANK
  echo "rank $NODE_RANK on $node"
  srun --nodes=1 --ntasks=1 --nodelist=$node --cpus-per-task=32 torchrun --nnodes=2 --nproc_per_node=4 --node_rank $NODE_RANK --master_addr $head --master_port 29700 train.py &
  NODE_RANK=$((NODE_RANK + 1))
done
wait $!
