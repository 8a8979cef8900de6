#!/bin/bash
#SBATCH --time=1:00:00 --nodes=4 --ntasks-per-node=1 --gpus-per-node=4 --cpus-per-task=32 --exclusive
python -c "import torch"
python -m benchmarks.runner --num-nodes 4 --num-gpus 4
