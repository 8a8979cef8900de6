#!/bin/bash
#SBATCH --ntasks=4 --time=1:00:00
srun --ntasks-per-node=4 --cpu-bind=cores --cpu_bind=cores --mpi=pmix --label ./model --unknown
srun --container-image=./x.sqsh --container-mounts=/data --no-container-mount-home ./model
srun --environment=ngc --ntasks-per-n=1 ./model
srun --$OPTION=4 ./model
