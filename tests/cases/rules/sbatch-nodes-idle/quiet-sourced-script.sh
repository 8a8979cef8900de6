#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1
#SBATCH --gpus-per-node=4 --cpus-per-task=16 --time=1-0
source start_ray_on_all_nodes.sh
python serve.py --tensor-parallel-size 8
