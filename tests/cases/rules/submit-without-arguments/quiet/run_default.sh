#!/bin/bash
#SBATCH --time=1:00:00
set -u
if [ $# -lt 1 ]; then
  srun ./analyse
else
  srun ./analyse "$1"
fi
