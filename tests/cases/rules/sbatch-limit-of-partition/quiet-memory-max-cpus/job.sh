#!/bin/bash
#SBATCH --mem=12G
#SBATCH --time=10
srun ./a
