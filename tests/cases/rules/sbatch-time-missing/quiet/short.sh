#!/bin/bash
#SBATCH --partition=short --nodes=2
srun hostname
