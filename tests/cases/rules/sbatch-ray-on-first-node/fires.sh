#!/bin/bash
#SBATCH --nodes=2   # finding: sbatch-ray-on-first-node
#SBATCH --ntasks-per-node=1 --gpus-per-node=8 --cpus-per-task=16 --time=4:00:00
ray start --address "10.0.0.1:6379" --num-cpus "${SLURM_CPUS_PER_TASK}" --block
