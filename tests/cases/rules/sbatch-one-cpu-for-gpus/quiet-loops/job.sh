#!/bin/bash
#SBATCH --gres=gpu:1 --time=5:00
timeout 120s bash -c "while true; do nvidia-smi -q > /dev/null; sleep 1; done"
