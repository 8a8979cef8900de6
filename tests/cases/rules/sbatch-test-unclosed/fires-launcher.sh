#!/bin/bash
# Runs on the login node.
if [[ $(hostname) == 'node*']]; then echo a; fi   # finding: sbatch-test-unclosed
[ -f "$1"] && exit 0   # finding: sbatch-test-unclosed
[[ $2 == [[:digit:]]* ]] && exit 1
if [[ $1 == *[0-9]]]; then echo b; fi
srun -N 2 --gres=gpu:8 python train.py
