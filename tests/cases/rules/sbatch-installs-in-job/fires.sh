#!/bin/bash
#SBATCH --time=1-0 --gpus-per-node=1 --cpus-per-task=8
source env/bin/activate
pip install -U -r requirements.txt   # finding: sbatch-installs-in-job
python train.py
