#!/bin/bash
#SBATCH --partition=batch --nodes=2 --time=1:00:00
source /lustre/frontier/env.sh
module load rocm/6.2.4
srun -N2 -n16 --gpus-per-task=1 apptainer exec --rocm image.sif all_reduce_perf -g 1
