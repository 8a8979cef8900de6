#!/bin/bash
#SBATCH --nodes=1 --cpus-per-task=16 --time=1-0
python is_there_none.py
nvidia-smi
