#!/bin/bash
#SBATCH --nodes=2
#SBATCH --container-image=nvcr.io\#nvidia/pytorch:24.05-py3
#SBATCH --image=docker:a/b:1
#SBATCH --module=gpu,nccl
#SBATCH --time=1:00:00
srun train
