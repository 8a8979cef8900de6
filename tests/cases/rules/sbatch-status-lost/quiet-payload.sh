#!/bin/bash
#SBATCH --job-name=hello
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --time=00:05:00
srun apptainer exec /images/base.sif sh -c 'echo "$(hostname) $(cat /etc/os-release && echo here)"'
