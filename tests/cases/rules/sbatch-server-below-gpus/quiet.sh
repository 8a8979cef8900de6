#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=32
#SBATCH --gpus-per-node=4
#SBATCH --time=01:00:00
vllm serve example/model --tensor-parallel-size 2 --data-parallel-size 2   # finding: sbatch-server-port-fixed
