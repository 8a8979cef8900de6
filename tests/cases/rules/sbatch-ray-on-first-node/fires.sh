#!/bin/bash
# silenced by: #SBATCH --nodes=1
#SBATCH --nodes=2   # finding: sbatch-ray-on-first-node
#SBATCH --ntasks-per-node=1 --cpus-per-task=16 --gpus-per-node=8 --time=1-0 --exclusive
ray start --address "$HEAD:6379" --num-gpus 8 --block
sleep infinity
