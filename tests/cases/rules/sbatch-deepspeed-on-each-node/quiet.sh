#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --gpus-per-node=4 --cpus-per-task=32 --time=4:00:00
srun --cpus-per-task=32 --nodes=1 --ntasks=1 deepspeed main.py --deepspeed ds.json
deepspeed --hostfile hosts.txt --launcher slurm main.py --deepspeed ds.json
