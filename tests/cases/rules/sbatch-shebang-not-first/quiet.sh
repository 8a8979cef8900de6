#!/bin/bash
# Trains the model.
#SBATCH --nodes=2 --exclusive
#SBATCH --time=1:00:00
srun hostname
