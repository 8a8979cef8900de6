#!/bin/bash
#SBATCH --partition=<-- replace with your partition>
#SBATCH -A <your account>
#SBATCH <SLURM OPTIONS> --ntasks=4
#SBATCH --nodes=2
#SBATCH -J { jobname }
#SBATCH --time=1:00:00
hostname
