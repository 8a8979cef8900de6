#!/bin/bash
#SBATCH --nodes=2 --gpus-per-node=8 --exclusive --time=1-0
MOUNTS="/data /home"
RUN="srun --mpi=pmix"
for mount in $MOUNTS; do
  RUN="$RUN --container-mounts=$mount"
done
$RUN bash -c "python train.py"
