!/bin/bash
#SBATCH --time=00:30:00
#SBATCH --ntasks=32
srun ./solve
