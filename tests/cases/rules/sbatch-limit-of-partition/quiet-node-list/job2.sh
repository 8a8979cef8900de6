#!/bin/bash
#SBATCH --nodes=2 --ntasks=20 --nodelist=a2 --time=10
srun ./a
