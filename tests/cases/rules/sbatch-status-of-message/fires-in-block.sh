#!/bin/bash
#SBATCH --gpus-per-node=1 --cpus-per-task=8 --time=1:00:00 --output=%x-%j.out
if [ -x /usr/bin/dcgmi ]; then
  group=$(dcgmi group -c job_$SLURM_JOB_ID)
  echo $group

  # Only where that worked.
  if [ $? -eq 0 ]; then   # finding: sbatch-status-of-message
    dcgmi stats -e
  fi
fi
srun -c 8 python train.py
