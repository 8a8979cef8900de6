#!/bin/bash
#SBATCH --job-name=mixed
#SBATCH --nodes=2 --time=01:00:00
srun --multi-prog ./mixed.conf
