#!/bin/bash
#SBATCH --nodes=1 --gres=gpu:1 --cpus-per-task=8 --time=1:00:00
CMD="srun -c 8 python train.py"
if [ -n "$LAYER" ]; then
  CMD="$CMD --layer $LAYER"
fi
$CMD
echo "done"   # finding: sbatch-status-lost
