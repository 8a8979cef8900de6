#!/bin/bash
#SBATCH --nodes=1 --ntasks=1 --mem=8G --time=1:00:00
./train "$1"
