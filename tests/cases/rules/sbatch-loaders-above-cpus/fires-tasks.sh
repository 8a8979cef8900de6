#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=2 --gpus-per-node=2 --cpus-per-task=4 --time=4:00:00 --mem=200G
srun --cpus-per-task=4 python train.py --num-workers=8   # finding: sbatch-loaders-above-cpus
