#!/bin/bash
#SBATCH -p cpu --ntasks=100 --time=1-0
srun simulate
