#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --time=1-0
SLURM_JOB_NUM_NODE=$SLURM_JOB_NUM_NODES
srun ./run "$SLURM_JOB_NUM_NODE" "$SLURM_SITE_SCRATCH"
