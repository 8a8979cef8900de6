#!/bin/bash
#SBATCH --time=1:00:00 --nodes=4 --ntasks-per-node=1 --gpus-per-node=4 --cpus-per-task=32 --exclusive
TASKS=$SLURM_TASKS_PER_NODE
export LOCAL_WORLD_SIZE=${TASKS%%(*}
CPUS=${SLURM_JOB_CPUS_PER_NODE%%(*}
echo "each node: $SLURM_TASKS_PER_NODE, $CPUS"
srun --cpus-per-task=32 python train.py
