#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=32
#SBATCH --gpus-per-node=8
#SBATCH --time=04:00:00
srun --nodes=2 --ntasks=2 --cpus-per-task=32 bash -c "python serve.py --rank $SLURM_PROCID" &   # finding: sbatch-step-rank-of-batch-shell
server=$!
sleep 600
wait "$server"
