#!/bin/bash
head=$1
# silenced by: ray start --address=$head:6379 --block
ray start --address=$head:6380 --block  # finding: sbatch-ray-port-differs
