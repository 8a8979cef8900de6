#!/bin/bash
#SBATCH --nodes=1 --ntasks=1 --time=01:00:00
#SBATCH --dependency=afterok:1234567890
srun ./solver
