#!/bin/bash
#SBATCH --nodes=1 --ntasks=1 --cpus-per-task=16 --time=1:00:00
#SBATCH hetjob
#SBATCH --nodes=4 --ntasks-per-node=1 --cpus-per-task=32 --gpus-per-node=4 --time=1:00:00
scheduler --file "$PWD/where.json" &
srun -c 32 worker --file "$PWD/where.json" &
wait
