#!/bin/bash
#SBATCH --job-name=steps
#SBATCH --nodes=2 --ntasks-per-node=1 --gpus-per-node=8 --exclusive --time=04:00:00
FOLDER=/mnt/fast/of_the_node/$CLUSTER/$PROJECT/${USER}/ray
HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
srun --overlap --nodes=1 --ntasks=1 -w "$HEAD" ray start --head --port="$PORT" --temp-dir="$FOLDER" --block &
sleep 20
srun --overlap --nodes=1 --ntasks=1 -w "$HEAD" python steps.py
