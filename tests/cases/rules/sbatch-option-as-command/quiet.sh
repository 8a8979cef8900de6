#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --time=1:00:00
while [[ $# -gt 0 ]]; do
  case $1 in
    --epochs) EPOCHS=$2; shift ;;
    --lr|--rate) LR=$2; shift ;;
  esac
  shift
done
OPTIONS=(
  --epochs 3
  --lr 1e-4
)
cat > run.txt <<EOF
--epochs 3
EOF
TEXT="
--epochs 3
"
srun python train.py \
    --epochs 3 \
    "${OPTIONS[@]}" "$TEXT"
