#!/bin/bash
#SBATCH --nodes=4
#SBATCH --tasks-per-node=1
#SBATCH --cpus-per-task=5
#SBATCH --gpus-per-task=1
#SBATCH --time=1:00:00
nodes=($(scontrol show hostnames "$SLURM_JOB_NODELIST"))
head=${nodes[0]}
head_ip=$(srun --nodes=1 --ntasks=1 -w "$head" --cpus-per-task=1 hostname --ip-address)
# finding: sbatch-step-cpus-not-inherited, sbatch-ray-port-fixed
srun --nodes=1 --ntasks=1 -w "$head" ray start --head --node-ip-address="$head_ip" --port=6379 --num-cpus "$SLURM_CPUS_PER_TASK" --num-gpus 1 --block &
sleep 10
python -u train.py
