#!/bin/bash
#SBATCH --ntasks=1
#SBATCH --time=TIME
./solve
