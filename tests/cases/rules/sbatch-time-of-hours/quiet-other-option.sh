#!/bin/bash
#SBATCH --nodes=1 --time=1-0
#SBATCH --begin=24:00
./train
