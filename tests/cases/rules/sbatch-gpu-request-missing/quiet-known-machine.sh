#!/bin/bash
#SBATCH --partition=batch --nodes=2 --time=1:00:00
module load craype-accel-amd-gfx90a rocm/6.2.4
srun -N2 -n16 --gpus-per-task=1 apptainer exec --rocm image.sif all_reduce_perf -g 1
