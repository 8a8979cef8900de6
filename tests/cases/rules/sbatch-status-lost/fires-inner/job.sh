#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --gpus-per-node=8 --cpus-per-task=56 --time=1:00:00
set -o pipefail
srun --cpus-per-task=56 apptainer exec --nv -B "$PWD:/mnt" train.sif /mnt/inner.sh
