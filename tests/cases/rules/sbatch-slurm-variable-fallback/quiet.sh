#!/bin/bash
#SBATCH --time=1:00:00 --gpus-per-node=1 --cpus-per-task=8 --mem=40G
export OMP_NUM_THREADS=${SLURM_JOB_CPUS_PER_NODE:-2}
SLURM_CPUS_PER_NOD=${SLURM_CPUS_PER_NOD:-4}
echo ${SLURM_SITE_NAME:-home}
python train.py
