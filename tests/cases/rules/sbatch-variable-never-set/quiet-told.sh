#!/bin/bash
#SBATCH --nodes=1 --time=1:00:00 --gpus-per-node=1 --cpus-per-task=8
# prefix=FOLDER    where results go, see --export
# rate=0.1 sbatch job.sh
# seed="7"
seed=$seed
run=${prefix}_full
srun -c 8 python train.py --out "$run" --lr $rate --seed "$seed"
