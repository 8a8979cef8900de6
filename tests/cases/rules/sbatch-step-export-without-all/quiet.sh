#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=1 --cpus-per-task=8 --time=1:00:00
srun -c 8 --export=OMP_NUM_THREADS=8 python first.py
source venv/bin/activate
srun -c 8 --export=ALL,OMP_NUM_THREADS=8 python train.py
srun -c 8 --export="$NAMES" python train.py
srun -c 8 --export=PATH,OMP_NUM_THREADS=8 python train.py
srun -c 8 --export=NONE python train.py
srun -c 8 --export=OMP_NUM_THREADS=8 venv/bin/python train.py
srun -c 8 --container-image=/images/train.sqsh --export=OMP_NUM_THREADS=8 python train.py
srun -c 8 --export=OMP_NUM_THREADS=8 apptainer exec train.sif python train.py
srun -c 8 --export="OMP_NUM_THREADS=8,ALL" python train.py
