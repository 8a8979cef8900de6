#!/bin/bash
#SBATCH --nodes=2 --gpus-per-node=4 --cpus-per-gpu=8 --ntasks-per-node=1 --time=1:00:00 --output=%x-%j.log
[ -f train.py ] || exit 1
mkdir -p results && cd results
srun -c 32 torchrun --nnodes=2 --nproc_per_node=4 --rdzv_backend=c10d --rdzv_endpoint=$HEAD:$PORT ../train.py
kill $MONITOR 2>/dev/null || true
cat results/report.txt   # finding: sbatch-status-lost
