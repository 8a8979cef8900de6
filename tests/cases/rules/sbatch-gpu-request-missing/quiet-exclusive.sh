#!/bin/bash
#SBATCH --time=1-0
#SBATCH --nodes=4
#SBATCH --exclusive
nvidia-smi
