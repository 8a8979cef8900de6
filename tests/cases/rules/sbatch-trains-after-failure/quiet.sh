#!/bin/bash
#SBATCH --job-name=fit --nodes=1 --gres=gpu:1 --cpus-per-task=8 --time=1:00:00
#SBATCH --output=fit-%j.out
python show_gpus.py --out data
echo "prepared"
python train.py --data data
