#!/bin/bash
#SBATCH --time=1:00:00 --gpus-per-node=1 --cpus-per-task=8 --mem=40G
head_node=$(hostname)
export NCCL_INIT_ADDR=${HEAD_NODE}:8000   # finding: sbatch-variable-misspelt
echo $head_node
python train.py
