#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --time=1:00:00
if [ "$MODEL" == "large"]; then   # finding: sbatch-test-unclosed
  MODEL=small
fi
srun python train.py "$MODEL"
