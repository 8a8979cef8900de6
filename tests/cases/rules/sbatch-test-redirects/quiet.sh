#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --time=1:00:00
if [ "$COUNT" -gt 0 ]; then
  srun python train.py
fi
if [[ "$COUNT" > 0 ]] || [ "$A" \> "$B" ] || [ -f list ] > /dev/null; then
  srun python eval.py
fi
