#!/bin/bash
#SBATCH --nodes=1 --ntasks-per-node=1 --gres=gpu:v100:1 --cpus-per-task=4 --time=1:00:00
USE_BF16=False
python train.py --bf16 $USE_BF16 --fp16 True
if nvidia-smi | grep -q A100; then python train.py --bf16; else python train.py --fp16; fi
python merge_adapter.py --dtype bfloat16 --out merged
