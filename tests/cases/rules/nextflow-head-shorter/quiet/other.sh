#!/bin/bash
#SBATCH --time=1:00:00 --mem=8G
srun ./analyse
