#!/bin/bash
#SBATCH --job-name=a --nodes=1 --ntasks=1 --time=01:00:00
DEBUG=0
if [[ $DEBUG > 1 ]]; then
  set -x
fi
srun ./solver
