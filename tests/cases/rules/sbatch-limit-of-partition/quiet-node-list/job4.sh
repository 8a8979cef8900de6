#!/bin/bash
#SBATCH --ntasks=12 --nodelist=a2 --time=10
srun ./a
