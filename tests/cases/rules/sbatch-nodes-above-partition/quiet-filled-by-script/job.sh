#!/bin/bash
#SBATCH --partition=all
#SBATCH --nodes=6
srun hostname
