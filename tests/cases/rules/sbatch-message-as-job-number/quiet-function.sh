#!/bin/bash
sbatch() {
  command sbatch --parsable "$@"
}
first=$(sbatch --time=1:00:00 --wrap ./prepare)
sbatch --time=1:00:00 --dependency=afterok:$first --wrap ./train
