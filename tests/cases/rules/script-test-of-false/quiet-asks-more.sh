#!/bin/bash
#SBATCH --job-name=a --nodes=1 --ntasks=1 --time=01:00:00
LEFT=0
if [ -n "$LEFT" ] && [ $LEFT -eq 1 ]; then
  echo left
fi
srun ./solver
