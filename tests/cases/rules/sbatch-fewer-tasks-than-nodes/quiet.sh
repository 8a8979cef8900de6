#!/bin/bash
#SBATCH --nodes=4 --ntasks=4
srun hostname
