#!/bin/bash
#SBATCH --job-name=tune
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=4
#SBATCH --exclusive
#SBATCH --time=04:00:00
srun bash -c 'accelerate launch --config_file conf/two.yaml \
  --machine_rank "$SLURM_NODEID" --main_process_ip "$HEAD" --main_process_port 24500 tune.py'
