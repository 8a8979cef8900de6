#!/bin/bash
#SBATCH --nodes=1 --ntasks=8 --nodelist=a2 --time=10
srun ./a
