#!/bin/bash
#SBATCH --nodes=1
#SBATCH --time=1:00:00
export HSA_FORCE_FINE_GRAIN_PCIE=1
export ASCEND_VISIBLE_DEVICES=0
srun ./solver
