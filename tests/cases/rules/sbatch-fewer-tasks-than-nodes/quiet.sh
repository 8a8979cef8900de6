#!/bin/bash
#SBATCH --nodes=4 --ntasks=4   # finding: sbatch-nodes-without-time
srun hostname
