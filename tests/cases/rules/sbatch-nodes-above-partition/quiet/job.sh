#!/bin/bash
#SBATCH --partition=all --nodes=10
srun hostname
