#!/bin/bash
#SBATCH --nodes=2 --ntasks=24 --nodelist=a2 --time=10
srun ./a
