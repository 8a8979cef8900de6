#!/bin/bash
#SBATCH --partition=day --nodes=2
srun hostname
