#!/bin/bash
#SBATCH --time=60 --gpus-per-node=1 --cpus-per-task=8
module load cuda
pip install deepspeed
ds_report
