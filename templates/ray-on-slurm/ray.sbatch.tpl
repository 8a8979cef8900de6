#!/bin/bash
#SBATCH --job-name={{NAME}}
#SBATCH --nodes={{NODES}}
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node={{GPUS}}
#SBATCH --exclusive
#SBATCH --partition={{PARTITION}}
{{#ACCOUNT}}#SBATCH --account={{TENANT}}
{{/ACCOUNT}}#SBATCH --time=1-00:00:00

# --nodes is one number: Ray's cluster gets all of its nodes at once, or waits without any. It lives and ends with the
# job, and holds no GPU of anybody else.
head=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
# Two Ray clusters may share a node's address only on different ports.
port=$((20000 + SLURM_JOB_ID % 20000))

# --block keeps each step alive as long as its Ray; --overlap lets the driver below run beside them.
srun --overlap --nodes=1 --ntasks=1 --nodelist="$head" \
  ray start --head --node-ip-address="$head" --port="$port" --num-gpus={{GPUS}} --block &
sleep 10
if [ "$SLURM_NNODES" -gt 1 ]; then
  srun --overlap --nodes=$((SLURM_NNODES - 1)) --ntasks=$((SLURM_NNODES - 1)) --exclude="$head" \
    --kill-on-bad-exit=1 ray start --address="$head:$port" --num-gpus={{GPUS}} --block &
fi

# The driver waits for every node before it begins: ray.init(address="auto"), then until as many nodes are alive as the
# job has.
RAY_ADDRESS="$head:$port" srun --overlap --nodes=1 --ntasks=1 --nodelist="$head" python train.py "$@"
