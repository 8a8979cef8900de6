#!/bin/bash
#SBATCH --job-name=gpt
#SBATCH --time=04:00:00
# “quoted” – in a comment
echo “done” – and out
python train.py --title "A – B" --epochs 3
