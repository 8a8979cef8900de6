#!/bin/bash
#SBATCH ${time}
#SBATCH ${memory}
#SBATCH ${partition}
srun python3 train.py
