#!/bin/bash
#SBATCH --job-name=a --nodes=1 --ntasks=1 --time=01:00:00
SSH=/usr/bin/ssh
CMD='curl -d "a b" host'
$SSH login $CMD
srun ./solver
