#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --exclusive
#SBATCH --time=04:00:00
export GPUS_PER_NODE=4   # finding: sbatch-world-below-gpus
# silenced by: export NUM_PROCESSES=8
export NUM_PROCESSES=$GPUS_PER_NODE
srun bash -c "accelerate launch --num_processes $NUM_PROCESSES --num_machines 2 --machine_rank \$SLURM_NODEID \
  --main_process_ip $HEAD --main_process_port 24500 tune.py"
