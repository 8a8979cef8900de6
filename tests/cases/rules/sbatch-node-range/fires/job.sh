#!/bin/bash
# finding: sbatch-node-range
#SBATCH --nodes=8-64
srun train
