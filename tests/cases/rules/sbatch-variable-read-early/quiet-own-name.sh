#!/bin/bash
for SLURM_SEED in 1 2 3; do sbatch --time=1:00:00 --wrap="report --seed $SLURM_SEED"; done
