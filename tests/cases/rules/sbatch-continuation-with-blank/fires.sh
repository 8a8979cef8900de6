#!/bin/bash
#SBATCH --time=1:00:00 --gpus-per-node=1 --cpus-per-task=8 --mem=40G
# silenced by: python fold.py --model multimer \
# finding: sbatch-continuation-with-blank
python fold.py --model multimer \ 
    outputs=/scratch/out
