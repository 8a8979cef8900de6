#!/bin/bash
#SBATCH --partition=<-- replace with your partition>
#SBATCH -A <your account>
#SBATCH --nodes=2
#SBATCH --time=1:00:00
hostname
