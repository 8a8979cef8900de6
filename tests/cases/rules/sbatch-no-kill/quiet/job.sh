#!/bin/bash
#SBATCH --nodes=4 --requeue
srun train
