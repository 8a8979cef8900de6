#!/bin/bash
#SBATCH --nodes=4 --time=60
srun hostname
