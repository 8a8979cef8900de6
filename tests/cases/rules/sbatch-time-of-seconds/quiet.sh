#!/bin/bash
#SBATCH --ntasks=1
#SBATCH --time=00:20:00
sysbench cpu run
