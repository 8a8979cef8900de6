#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --exclusive
#SBATCH --time=01:00:00
srun -n 1 $WORK/bin/database > database.log 2>&1 &
sleep 5
srun tune --study big   # finding: sbatch-step-waits-for-step
