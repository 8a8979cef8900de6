#!/bin/bash
#SBATCH --job-name=train
#SBATCH --nodes=2 --ntasks-per-node=1 --gpus-per-node=4
#SBATCH --exclusive
#SBATCH --time=04:00:00
mapfile -t nodes < <(scontrol show hostnames "$SLURM_JOB_NODELIST")
HEAD=${nodes[0]}
OTHER=${nodes[1]}
srun --nodes=1 --ntasks=1 -w "$HEAD" serve &
srun --nodes=1 --ntasks=1 -w "$OTHER" ask
srun --nodes=1 --ntasks=1 --overlap -w "$HEAD" ask
kill %1
srun --nodes=1 --ntasks=1 -w "$HEAD" ask
srun --nodes=1 --ntasks=1 --exact -c 4 -w "$HEAD" serve &
srun --nodes=1 --ntasks=1 -c 4 -w "$HEAD" ask
HEAD=${nodes[0]}
srun --nodes=1 --ntasks=1 -w "$HEAD" serve &
HEAD=${nodes[1]}
srun --nodes=1 --ntasks=1 -w "$HEAD" ask
