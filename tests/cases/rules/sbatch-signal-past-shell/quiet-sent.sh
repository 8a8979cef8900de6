#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=1 --cpus-per-task=8 --time=1:00:00 --signal=USR1@300
trap 'touch stop' USR1
srun -c 8 python train.py &
sleep 3000
scancel --batch --signal=USR1 "$SLURM_JOB_ID"
wait
