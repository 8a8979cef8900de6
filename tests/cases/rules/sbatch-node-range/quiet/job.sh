#!/bin/bash
#SBATCH --nodes=64
srun train
