#!/bin/bash
#SBATCH --nodes=4 --segment=2 --time=60
srun hostname
