#!/bin/bash
#SBATCH --nodes=1 --cpus-per-task=16 --time=1-0 --mem=100G
#SBATCH --gpus=16   # finding: sbatch-gpus-fewer-than-asked, sbatch-gpus-above-nodes
srun --cpus-per-task=16 train
