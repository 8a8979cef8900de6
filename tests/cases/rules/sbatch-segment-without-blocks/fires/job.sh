#!/bin/bash
# finding: sbatch-segment-without-blocks
#SBATCH --nodes=4 --segment=2 --time=60
srun hostname
