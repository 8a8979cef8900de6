#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --time=1-0
srun --nodes=2 hostname
srun --nodes=$COUNT hostname
srun --jobid=$OTHER --nodes=4 hostname
