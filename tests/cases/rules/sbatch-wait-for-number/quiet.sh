#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=4 --cpus-per-task=16 --time=1:00:00
srun --cpus-per-task=16 python a.py &
wait $!
