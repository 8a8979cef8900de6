#!/bin/bash
#SBATCH --time=1:00:00 --gpus-per-node=1 --cpus-per-task=8 --mem=40G
export PYTHONPATH=$PWD/src:$PYTHONPATH
set -u
export LD_LIBRARY_PATH=/opt/lib:${LD_LIBRARY_PATH:-}
export LD_LIBRARY_PATH=/opt/more:$LD_LIBRARY_PATH
set +u
export CPATH=/opt/include:$CPATH
python train.py
