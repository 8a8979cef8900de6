#!/bin/bash
#SBATCH --nodes=1 --ntasks=4 --cpus-per-task=12 --time=1-0
srun --cpus-per-task="$SLURM_CPUS_PER_TASK" ./simulate
