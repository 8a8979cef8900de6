#!/bin/bash
# the partition has nodes with 4 GPUs, the named one is of the others
#SBATCH -p all --nodes=1 --cpus-per-task=8 --time=1-0 --nodelist=cpu2
#SBATCH --gpus=4   # finding: sbatch-gpus-above-nodes
srun train   # finding: sbatch-step-cpus-not-inherited
