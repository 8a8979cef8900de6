#!/bin/bash
#SBATCH --nodes=50 --exclusive --time=1:00:00
srun ./solve
