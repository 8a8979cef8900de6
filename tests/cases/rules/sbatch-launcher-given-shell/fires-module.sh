#!/bin/bash
#SBATCH --nodes=1 --ntasks-per-node=1 --gpus-per-node=4 --cpus-per-gpu=8 --time=1:00:00
srun python -m torch.distributed.run --standalone --nproc_per_node 4 ./run.sh   # finding: sbatch-launcher-given-shell
