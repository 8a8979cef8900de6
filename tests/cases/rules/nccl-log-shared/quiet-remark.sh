#!/bin/bash
# submit with: sbatch job.sh
# export NCCL_DEBUG_FILE=nccl.log
# srun python train.py
export NCCL_DEBUG_FILE=nccl.log
python train.py
