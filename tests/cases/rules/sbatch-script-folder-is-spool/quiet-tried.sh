#!/bin/bash
#SBATCH --gpus-per-node=1 --cpus-per-task=8 --time=1-0
here="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." 2>/dev/null && pwd)"
[[ -f "$here/train.py" ]] || here=/project/train
cd "$here"
python train.py
