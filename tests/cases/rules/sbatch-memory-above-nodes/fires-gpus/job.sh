#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=1 --cpus-per-gpu=12 --time=1-0 --exclusive   # finding: sbatch-exclusive-for-few-gpus
#SBATCH --mem-per-gpu=130G   # finding: sbatch-memory-above-nodes
srun train
