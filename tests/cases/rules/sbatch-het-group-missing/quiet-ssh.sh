#!/bin/bash
#SBATCH --nodes=1 --ntasks=1 --cpus-per-task=16 --time=1:00:00
#SBATCH hetjob
#SBATCH --nodes=1 --ntasks-per-node=1 --cpus-per-task=32 --time=1:00:00
srun -c 16 first &
ssh node2 second
wait
