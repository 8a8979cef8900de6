#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=1 --cpus-per-task=8 --time=1:00:00 --signal=USR1@300
trap 'touch stop' USR2
trap 'touch ended' TERM
srun -c 8 bash -c 'trap "touch stop" USR1; python train.py & wait'
