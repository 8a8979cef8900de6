#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --gpus-per-node=1 --cpus-per-task=8 --time=1:00:00 --output=%x-%j.out
mpirun -n 1 ./solver   # finding: sbatch-mpi-ranks-below-nodes
