#!/bin/bash
#SBATCH --nodes=4 --requeue --open-mode=append
srun train
