#!/bin/bash
aws ec2 authorize-security-group-ingress --group-id "$SG" \
  —-cidr 10.0.0.0/8   # finding: sbatch-typographic-sign
git commit -m "stage 1 — warm up"
echo — done –n
srun -N 2 --gres=gpu:8 python train.py
