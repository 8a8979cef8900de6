#!/bin/bash
#SBATCH --ntasks=1
#SBATCH --time=00:20   # finding: sbatch-time-of-seconds
sysbench cpu run
