#!/bin/bash
#SBATCH --job-name=steps
#SBATCH --nodes=2 --ntasks-per-node=1 --gpus-per-node=8 --exclusive --time=04:00:00
FOLDER=/mnt/fast/of_the_node/jobs/${SLURM_JOB_ID}/sessions/of/the/steps
HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
srun --overlap --nodes=1 --ntasks=1 -w "$HEAD" ray start --address="$HEAD:$PORT" --temp-dir="$FOLDER" --block &
sleep 20
srun --overlap --nodes=1 --ntasks=1 -w "$HEAD" python steps.py
