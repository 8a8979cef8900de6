#!/bin/bash
job=$(sbatch --time=1:00:00 --wrap ./prepare)
read -r _ _ _ job <<< "$job"
sbatch --time=1:00:00 --dependency=afterok:$job --wrap ./train
