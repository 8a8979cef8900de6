#!/bin/bash
#SBATCH --time=1-0 --gpus-per-node=1 --cpus-per-task=8
if [ ! -d data ]; then
  exit 1
fi
python -m scripts.train --epochs 200
python -m scripts.evaluate   # finding: sbatch-goes-on-after-training
cp report.md "$HOME" || exit 1
