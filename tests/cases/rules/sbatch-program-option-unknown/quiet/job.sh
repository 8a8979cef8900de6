#!/bin/bash
#SBATCH --job-name=fit --nodes=1 --gres=gpu:1 --cpus-per-task=8 --time=1:00:00
#SBATCH --output=fit-%j.out
srun -c 8 python fit.py --data=data --lr -0.2 --epo 4 $MORE -- --add_info
