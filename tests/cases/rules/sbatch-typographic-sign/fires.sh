#!/bin/bash
#SBATCH --job-name=gpt
#SBATCH --time=04:00:00
ssh “$HEAD” hostname   # finding: sbatch-typographic-sign
python train.py –-epochs 3   # finding: sbatch-typographic-sign
