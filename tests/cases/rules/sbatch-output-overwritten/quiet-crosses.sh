#!/bin/bash
#SBATCH --time=1:00:00
#SBATCH --output=XXXoutfileXXX
srun XXXcommandXXX
