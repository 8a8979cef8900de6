#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --time=1-0
if [ -e stop ]; then exit; fi
[ -d data ] || exit 1
srun --nodes=4 hostname   # finding: sbatch-step-above-nodes
exit
