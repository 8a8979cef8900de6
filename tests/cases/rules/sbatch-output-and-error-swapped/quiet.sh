#!/bin/bash
#SBATCH --nodes=2
#SBATCH --time=1:00:00
#SBATCH --output=%j.out
#SBATCH --error=%j.err
srun ./solver
