#!/bin/bash
#SBATCH --ntasks=4 --time=1:00:00
srun -np 4 ./model   # finding: sbatch-step-number-unreadable
srun -cpu_bind=sockets ./model   # finding: sbatch-step-number-unreadable
srun -n=4 ./model   # finding: sbatch-step-number-unreadable
