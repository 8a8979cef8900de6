#!/bin/bash
#SBATCH --partition=p
#SBATCH --nodes=16   # finding: sbatch-nodes-above-partition
#SBATCH --time=10
srun ./a
