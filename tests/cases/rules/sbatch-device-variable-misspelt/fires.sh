#!/bin/bash
#SBATCH --nodes=1
#SBATCH --time=1:00:00
export HSA_FORCE_FINE_GRAIN_PRICE=1   # finding: sbatch-device-variable-misspelt
srun ./solver
export SINGULAIRTYENV_APPEND_LD_LIBRARY_PATH=/opt/mpi/lib   # finding: sbatch-device-variable-misspelt
export NCCL_IFNAME=hsn0   # finding: sbatch-device-variable-misspelt
export NCCL_SOCKET_IFNAM=hsn0   # finding: sbatch-device-variable-misspelt
