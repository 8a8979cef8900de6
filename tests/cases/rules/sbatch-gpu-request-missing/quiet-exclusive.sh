#!/bin/bash
#SBATCH --nodes=4
#SBATCH --exclusive
nvidia-smi
