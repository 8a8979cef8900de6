#!/bin/bash
#SBATCH --nodes=1
#SBATCH --gpus-per-node=4
#SBATCH --cpus-per-task=32
#SBATCH --time=01:00:00
srun --cpus-per-task=32 python -u cifar_solution.py --epochs 10
srun --cpus-per-task=32 python my_model.py
srun --cpus-per-task=32 python train.py
srun --cpus-per-task=32 python /opt/models/measure_all.py
srun --cpus-per-task=32 python written_later.py
