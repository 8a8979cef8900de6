#!/bin/bash
#SBATCH --nodes=1 --ntasks=1 --cpus-per-task=32 --time=1-0
accelerate launch --num_processes=2 train.py
