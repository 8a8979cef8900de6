#!/bin/bash
#SBATCH --time=1:00:00 --nodes=2 --ntasks-per-node=1 --gpus-per-node=8 --exclusive
c=fe
MASKS="0x${c}000000000000,0x${c}00000000000000,0x${c}0000,0x${c}000000,0x${c},0x${c}00,0x${c}00000000,0x${c}0000000000"
srun -N $SLURM_NNODES -n $SLURM_NNODES --cpu-bind=mask_cpu:$MASKS ./run.sh   # finding: sbatch-task-on-first-mask
