#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --exclusive
#SBATCH --time=01:00:00
echo "job $SLURM_JOB_ID"
srun python3 << 'PYTHON'   # finding: sbatch-rendezvous-not-given
import torch.distributed as dist
dist.init_process_group("nccl")
PYTHON
