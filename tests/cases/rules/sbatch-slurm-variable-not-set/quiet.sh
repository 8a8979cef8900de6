#!/bin/bash
#SBATCH --gpus-per-node=4 --time=1-0
#SBATCH --cpus-per-task=8
export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK   # finding: sbatch-threads-above-cpus
torchrun --standalone --nproc_per_node=$SLURM_GPUS_PER_NODE train.py
python score.py --tasks "${SLURM_NTASKS_PER_NODE:-1}"
./report --memory "$SLURM_MEM_PER_NODE"
