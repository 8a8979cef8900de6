#!/bin/bash
#SBATCH --time=1:00:00 --gpus-per-node=1 --cpus-per-task=8 --mem=40G
srun --cpus-per-task=8 --container-image=/images/nvcr.io/train.sqsh python warm_up.py
srun --cpus-per-task=8 --container-image=$IMAGE python train.py
