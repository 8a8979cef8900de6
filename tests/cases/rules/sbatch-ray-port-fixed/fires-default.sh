#!/bin/bash
#SBATCH --time=1:00:00 --nodes=1 --ntasks-per-node=1 --gpus-per-node=2 --cpus-per-task=8 --mem=40G
ray start --num-cpus=8 --head   # finding: sbatch-ray-port-fixed
python -u train.py
