#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --time=1:00:00
if [ "$COUNT" > 0 ]; then   # finding: sbatch-test-redirects
  srun python train.py
fi
