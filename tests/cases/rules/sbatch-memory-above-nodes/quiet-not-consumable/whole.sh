#!/bin/bash
#SBATCH -p cpu --nodes=1 --time=1-0
#SBATCH --mem=250000
srun simulate
