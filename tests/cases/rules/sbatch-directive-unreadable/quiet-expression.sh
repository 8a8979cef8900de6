#!/bin/bash
#SBATCH --nodes={nodes}
#SBATCH --gpus=v100:{(1 if gpu else 0) * nodes}
#SBATCH --time={walltime}
srun python3 train.py
