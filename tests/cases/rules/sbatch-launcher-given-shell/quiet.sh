#!/bin/bash
#SBATCH --nodes=1 --ntasks-per-node=1 --gpus-per-node=4 --cpus-per-gpu=8 --time=1:00:00
srun torchrun --standalone --nproc-per-node=4 --no-python bash -c 'nsys profile python train.py'
srun torchrun --standalone --nproc-per-node 4 train.py --hook run.sh
srun torchrun --standalone --nproc-per-node=4 --module train bash
srun bash -c 'torchrun --standalone --nproc-per-node=4 train.py'
srun torchrun $OPTIONS bash
srun torchrun --standalone --nproc-per-node=4 --no-py bash -c 'nsys profile python train.py'
