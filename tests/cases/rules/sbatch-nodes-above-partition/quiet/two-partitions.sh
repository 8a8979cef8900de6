#!/bin/bash
#SBATCH --partition=low,high --nodes=6
srun hostname
