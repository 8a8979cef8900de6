#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1 --gres=gpu:1 --cpus-per-task=8 --time=00:10:00
python3 -c "
import torch
for i in range(torch.cuda.device_count()):
    print(torch.cuda.get_device_name(i))
"
