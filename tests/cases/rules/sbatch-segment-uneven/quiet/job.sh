#!/bin/bash
#SBATCH --nodes=32 --segment=16
srun train
