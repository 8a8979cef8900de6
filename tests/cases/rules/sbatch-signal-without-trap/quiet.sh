#!/bin/bash
#SBATCH --signal=B:USR1@120
#SBATCH --gpus-per-node=1 --cpus-per-task=8 --time=1-0
trap 'kill -USR1 "$child"' USR1
srun python train.py &   # finding: sbatch-step-cpus-not-inherited
child=$!
wait
