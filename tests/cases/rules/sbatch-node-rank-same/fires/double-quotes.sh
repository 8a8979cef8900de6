#!/bin/bash
#SBATCH --nodes=4 --ntasks-per-node=1
#SBATCH --gpus-per-node=8 --cpus-per-task=64 --time=1-0
NODE_RANK=$SLURM_PROCID   # finding: sbatch-node-rank-same
srun bash -c "accelerate launch --num_machines 4 --num_processes 32 --machine_rank $NODE_RANK --main_process_ip $HEAD train.py"   # finding: sbatch-step-cpus-not-inherited
