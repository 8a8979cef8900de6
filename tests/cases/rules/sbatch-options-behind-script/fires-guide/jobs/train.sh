#!/bin/bash
#SBATCH --time=1:00:00 --ntasks=1 --mem=8G --cpus-per-task=4
python train.py --model "$MODEL"
