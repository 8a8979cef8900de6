#!/bin/bash
#SBATCH --time=00:30:00
#SBATCH --argos=no
srun --argos=no hostname
