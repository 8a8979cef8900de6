#!/bin/bash
for lr in 1e-3 1e-4; do
  sbatch --export=ALL,rate=$lr job.sh
done
extra="--amp" sbatch job.sh
