#!/bin/bash
#SBATCH --job-name=tune
#SBATCH --nodes=1 --ntasks=1 --cpus-per-task=16 --gpus-per-node=4 --time=04:00:00
# silenced by: srun -c 16 --container-image=/images/torch.sqsh --container-mounts=/data:/data,/models:/models python tune.py
srun -c 16 --container-image=/images/torch.sqsh --container-mounts=/data:/data, /models:/models python tune.py   # finding: sbatch-mounts-with-blank
