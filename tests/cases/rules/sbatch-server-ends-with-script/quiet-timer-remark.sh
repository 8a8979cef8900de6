#!/bin/bash
#SBATCH --job-name=serve
#SBATCH --nodes=1
#SBATCH --gpus-per-node=2
#SBATCH --cpus-per-task=16
#SBATCH --time=04:00:00
#SBATCH --output=%x-%j.out
vllm serve acme/small-llm --port "$((20000 + SLURM_JOB_ID % 10000))" --tensor-parallel-size 2 > "serve-$SLURM_JOB_ID.log" 2>&1 &
PID=$!
until curl -s "http://localhost:$((20000 + SLURM_JOB_ID % 10000))/v1/models" > /dev/null; do
  sleep 10
done
echo "the server answers"
(sleep 3600)   # keeps it (till then) & ends
