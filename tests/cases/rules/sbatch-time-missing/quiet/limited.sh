#!/bin/bash
#SBATCH --partition=open --nodes=2 --time=60
srun hostname
