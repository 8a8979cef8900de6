#!/bin/bash
#SBATCH --nodes=1 --cpus-per-task=16 --time=1-0
export CUDA_VISIBLE_DEVICES=
python prepare.py
