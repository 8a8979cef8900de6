#!/bin/bash
#SBATCH -N 4 --gres=gpu:8
nvidia-smi
