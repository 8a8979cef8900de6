#!/bin/bash
#SBATCH --gpus-per-node=1 --time=1:00
bash hello.sh
