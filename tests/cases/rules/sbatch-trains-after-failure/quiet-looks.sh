#!/bin/bash
#SBATCH --job-name=fit --nodes=1 --gres=gpu:1 --cpus-per-task=8 --time=1:00:00
#SBATCH --output=fit-%j.out
python preprocess.py --out data || exit 1
echo "prepared"
python train.py --data data
