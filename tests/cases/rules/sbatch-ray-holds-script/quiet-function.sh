#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --gpus-per-node=4 --cpus-per-task=32 --time=1:00:00
export SRUN_CPUS_PER_TASK=$SLURM_CPUS_PER_TASK
nodes=($(scontrol show hostnames "$SLURM_JOB_NODELIST"))
port=$((20000 + SLURM_JOB_ID % 20000))
head() {
  srun --nodes=1 --ntasks=1 -w "${nodes[0]}" ray start --num-cpus=8 --head --port=$port --block
}
(srun --nodes=1 --ntasks=1 -w "${nodes[1]}" ray start --num-cpus=8 --address "${nodes[0]}:$port" --block) &
head &
sleep 10
srun --overlap python -u train.py
