#!/bin/bash
#SBATCH --time=1-0 --cpus-per-task=8
pip install -r requirements.txt
python prepare.py
