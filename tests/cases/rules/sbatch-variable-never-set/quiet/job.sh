#!/bin/bash
#SBATCH --nodes=1 --time=1:00:00 --gpus-per-node=1 --cpus-per-task=8
for port in {20000..30000}; do ! nc -z localhost ${port} && break; done
read -r host rest < hosts.txt
srun -c 8 python train.py --lr $rate --seed ${seed:-1} --host $host --name "$LABEL" $extra
