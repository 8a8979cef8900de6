#!/bin/bash
# finding: sbatch-segment-uneven
#SBATCH --nodes=24 --segment=16
srun train
