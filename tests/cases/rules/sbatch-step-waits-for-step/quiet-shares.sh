#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=4
#SBATCH --exclusive
#SBATCH --time=01:00:00
RUN="apptainer run image.sif"
srun -n 1 $WORK/bin/database > database.log 2>&1 &
sleep 5
srun --overlap -n 1 $RUN tune --study big
