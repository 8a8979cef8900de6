#!/bin/bash
#SBATCH --time=1-0 --gpus-per-node=1 --cpus-per-task=8
run() {
  "$@" || exit 1
}
run python -m scripts.train --epochs 200
run python -m scripts.evaluate
