#!/bin/bash
#SBATCH --nodes=2   # finding: sbatch-nodes-idle
#SBATCH --ntasks-per-node=1 --gres=gpu:1 --cpus-per-task=8 --time=00:10:00
python3 -c "
import torch
x = torch.randn(20000, 20000).cuda()
while True:
    torch.matmul(x, x)
"
