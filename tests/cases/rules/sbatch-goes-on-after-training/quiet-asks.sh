#!/bin/bash
#SBATCH --time=1-0 --gpus-per-node=1 --cpus-per-task=8
python -m scripts.train --epochs 200
[ $? -eq 0 ] || exit 1
python -m scripts.evaluate
