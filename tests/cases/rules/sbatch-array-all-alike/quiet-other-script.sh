#!/bin/bash
#SBATCH --time=60 --ntasks=1
#SBATCH --array=1-8
bash ./fit-one.sh
