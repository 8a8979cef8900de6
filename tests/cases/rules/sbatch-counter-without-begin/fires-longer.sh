#!/bin/bash
#SBATCH --job-name=pair --nodes=2 --ntasks-per-node=1 --gres=gpu:4 --cpus-per-task=32 --time=1:00:00
#SBATCH --output=pair-%j.out
for node in $(scontrol show hostnames "$SLURM_JOB_NODELIST"); do
  # finding: sbatch-counter-without-begin
  export LAUNCHER="torchrun --nnodes=2 --nproc_per_node=4 --node_rank $RANK_OF_NODE"
  srun --nodes=1 --ntasks=1 --nodelist=$node --cpus-per-task=32 $LAUNCHER train.py &
  RANK_OF_NODE=$((RANK_OF_NODE + 1))
done
wait $!
