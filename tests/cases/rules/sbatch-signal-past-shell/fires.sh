#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=1 --cpus-per-task=8 --time=1:00:00
# silenced by: #SBATCH --signal=B:USR1@300
#SBATCH --signal=USR1@300
trap 'touch stop; kill -USR1 $pid' SIGUSR1   # finding: sbatch-signal-past-shell
srun -c 8 python train.py &
pid=$!
wait $pid
