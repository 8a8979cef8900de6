#!/bin/bash
#SBATCH --ntasks=1
#SBATCH --time=20:00
sysbench cpu run
