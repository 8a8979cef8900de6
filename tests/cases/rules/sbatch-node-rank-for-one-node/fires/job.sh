#!/bin/bash
#SBATCH --job-name=tune
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=4
#SBATCH --cpus-per-task=32
#SBATCH --time=1:00:00
#SBATCH --output=tune-%j.out
# silenced by: srun --cpus-per-task=32 bash -c "accelerate launch --num_machines $SLURM_NNODES --num_processes $((4*SLURM_NNODES)) --machine_rank \$SLURM_NODEID train.py"
srun --cpus-per-task=32 bash -c "accelerate launch --num_machines $SLURM_NNODES --num_processes $((4*SLURM_NNODES)) --machine_rank $SLURM_NODEID train.py"   # finding: sbatch-node-rank-for-one-node
