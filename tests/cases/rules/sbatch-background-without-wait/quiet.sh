#!/bin/bash
#SBATCH --time=1:00:00 --ntasks=4 --mem=8G
nvidia-smi -l 60 > gpu.log &
mpirun -np 4 ./solver &
wait
